package recall

import "testing"

func TestFollowOf(t *testing.T) {
	t.Parallel()
	const deploy = "how are kettle deploys done?"
	for _, c := range []struct {
		question string
		want     string // "": none; "before", "refers" or "only"
	}{
		{"and how do I do that on staging?", "refers"},
		{"and on staging?", "before"},
		{"what about production?", "before"},
		{"who does it?", "only"},
		{"But why?", "only"},
		{"why?", "only"},
		{"how do I do that?", "only"},
		{"where is my passport?", ""},
		{"what is the name of our cat?", ""},
		{"who am I?", ""},
		{"what can you do?", ""},
		{"what time is it?", ""},
		{"is it raining?", ""},
		{"and please list every open port of the staging firewall", ""},
		{"explain this:\n  kettle", ""},
		{"", ""},
		{"?!", ""},
		{"🍵", ""},
		{"お茶は?", ""},
	} {
		f, ok := FollowOf(c.question, []string{deploy})
		got := ""
		switch {
		case !ok:
		case f.Only:
			got = "only"
		case f.Refers:
			got = "refers"
		default:
			got = "before"
		}
		if got != c.want || ok && f.Text != deploy {
			t.Errorf("%q: %q %+v, want %q", c.question, got, f, c.want)
		}
	}
}

// TestFollowOfChain: what goes on with a question that goes on is about what that is about.
func TestFollowOfChain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		before []string
		want   string
	}{
		{nil, ""},
		{[]string{"and on staging?", "how do I deploy?"}, "how do I deploy?"},
		{[]string{"and on staging?", "why?"}, ""},
		{[]string{"where is my passport?", "how do I deploy?"}, "where is my passport?"},
		{[]string{"a page\nof text", "how do I deploy?"}, ""},
		{[]string{"who am I?", "how do I deploy?"}, ""},
		{[]string{"why?", "why?", "why?", "why?", "how do I deploy?"}, ""},
	} {
		if f, _ := FollowOf("and on production?", c.before); f.Text != c.want {
			t.Errorf("%q: %q, want %q", c.before, f.Text, c.want)
		}
	}
}
