package search

import "testing"

// TestR378Saying: what says a subject: its words, whatever their endings and case, as words; a
// name that is a small word only where it is written as a name within a sentence.
func TestR378Saying(t *testing.T) {
	t.Parallel()
	for subject, c := range map[string]struct{ says, not []string }{
		"Zebulon": {
			[]string{"Zebulon reviews it", "ask zebulon", "Zebulon's desk", "ZEBULON!", "we met (Zebulon)"},
			[]string{"Zebulonia is a place", "nobody"},
		},
		"the staging host": {[]string{"so the staging host is kettle", "the staging hosts are down"}, []string{"staging of the host"}},
		"Will":             {[]string{"I asked Will about it", "is Will there?"}, []string{"will he come?", "Will he come?", "Yes. Will he?"}},
		"schema changes":   {[]string{"a schema change is due"}, []string{"the schema has changes"}},
		"紅茶":               {[]string{"朝に紅茶を飲む"}, []string{"朝に茶を飲む"}},
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
