package why

import "testing"

// TestR374Named: what is remembered is called as a person would call it, and quoted where
// that cannot be told.
func TestR374Named(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ kind, content, want string }{
		{"pref", "short answers", "your preference for short answers"},
		{"pref", "concise git output", "your preference for concise git output"},
		{"pref", "User prefers terse responses; no end-of-turn summaries.", "your preference for terse responses"},
		{"pref", "I prefer short answers.", "your preference for short answers"},
		{"pref", "I'd prefer short, plain answers", "your preference for short, plain answers"},
		{"pref", "i always prefer tabs to spaces", "your preference for tabs over spaces"},
		{"pref", "I prefer to use tabs", "your preference to use tabs"},
		{"pref", "we don't like emojis", "your preference against emojis"},
		{"pref", "I hate pie charts because nobody can read them", "your preference against pie charts"},
		{"pref", "dark mode", "your preference for dark mode"},
		// None of these is a thing with a name.
		{"pref", "no tabs", `your preference "no tabs"`},
		{"pref", "use tabs", `your preference "use tabs"`},
		{"pref", "answer in German", `your preference "answer in German"`},
		{"pref", "I like it when you ask first", `your preference "I like it when you ask first"`},
		{"pref", "I want you to be brief", `your preference "I want you to be brief"`},
		{"pref", "Ich mag kurze Antworten", `your preference "Ich mag kurze Antworten"`},
		{"pref", "短い答え", `your preference "短い答え"`},
		{"pref", "I prefer ", `your preference "I prefer "`},
		{"pref", "x\x1b[31m red things", "your preference for x red things"},
		{"goal", "I want to ship by June", "your goal to ship by June"},
		{"goal", "to ship by June.", "your goal to ship by June"},
		{"goal", "June", `your goal "June"`},
		{"decision", "We decided to use Postgres, not MySQL", "your decision to use Postgres"},
		{"decision", "Postgres", `your decision "Postgres"`},
		{"rule", "never push", `your rule "never push"`},
		{"fact", "install with pnpm", `the fact "install with pnpm"`},
		{"", "from nowhere", `the other "from nowhere"`},
	} {
		kind := test.kind
		if kind == "" {
			kind = "other"
		}
		if got := named(kind, []Ground{{Kind: test.kind, Content: test.content}}); got != test.want {
			t.Errorf("%s %q: %s, want %s", test.kind, test.content, got, test.want)
		}
	}
	here := []Ground{{Kind: "pref", Content: "short answers", Scope: "repo:x"}}
	if got, want := named("pref", here), "the project preference for short answers"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
