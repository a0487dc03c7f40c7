package app

import "testing"

// TestR378Saying: what says a subject: its words, whatever their endings and case, as words; a
// name that is a small word only where it is written as a name, wherever that stands.
func TestR378Saying(t *testing.T) {
	t.Parallel()
	for subject, c := range map[string]struct{ says, not []string }{
		"Zebulon": {
			[]string{"Zebulon reviews it", "ask zebulon", "Zebulon's desk", "ZEBULON!", "we met (Zebulon)"},
			[]string{"Zebulonia is a place", "nobody"},
		},
		"the staging host": {[]string{"so the staging host is kettle", "the staging hosts are down"}, []string{"staging of the host"}},
		"Will": {
			[]string{
				"I asked Will about it", "is Will there?", "Will does the pen test", "Yes. Will does", "- Will: desk",
				"Will's desk", "the desk is Will’s", "ask (Will)", "Will", "Will he come?",
			},
			[]string{"will he come?", "releases will freeze", "Willow is a place", "GoodWill", "WILL HE COME?", "will@greywing.example", ""},
		},
		"May":            {[]string{"May runs the desk", "the desk is run by May"}, []string{"it may rain", "Mayday"}},
		"IT":             {[]string{"IT has the keys"}, []string{"It has the keys", "it rains", "ITEM"}},
		"will":           {nil, []string{"will he come?", "Will does the pen test"}},
		"I":              {nil, []string{"I use tabs"}},
		`"Will"`:         {[]string{"Will does the pen test"}, []string{"releases will freeze"}},
		"“May”":          {[]string{"May runs the desk"}, []string{"it may rain"}},
		"schema changes": {[]string{"a schema change is due"}, []string{"the schema has changes"}},
		"紅茶":             {[]string{"朝に紅茶を飲む"}, []string{"朝に茶を飲む"}},
	} {
		says := Saying(subject)
		for _, said := range c.says {
			if !says(said) {
				t.Errorf("%q does not say %q", said, subject)
			}
		}
		for _, said := range c.not {
			if says(said) {
				t.Errorf("%q says %q", said, subject)
			}
		}
	}
}
