package extract

import (
	"os"
	"strings"
	"testing"
	"time"

	"ken/internal/memory"
	"ken/internal/termsafe"
)

type labelled struct {
	kind memory.Kind // "": nothing is stated
	text string
	want string
	line int
}

// labelledSentences are those of testdata, with what is to be found in each.
func labelledSentences(t *testing.T) (pos, neg []labelled) {
	t.Helper()
	b, err := os.ReadFile("testdata/sentences.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(b)) {
		n++
		line = strings.TrimRight(line, "\n")
		if text, ok := strings.CutPrefix(line, "- "); ok {
			neg = append(neg, labelled{text: text, line: n})
		}
		if rest, ok := strings.CutPrefix(line, "+ "); ok {
			kind, text, _ := strings.Cut(rest, " | ")
			text, want, ok := strings.Cut(text, " => ")
			if !ok {
				want = strings.TrimRight(text, ".!")
			}
			pos = append(pos, labelled{memory.Kind(kind), text, want, n})
		}
	}
	return pos, neg
}

func TestSentences(t *testing.T) {
	t.Parallel()
	pos, neg := labelledSentences(t)
	if len(pos) < 60 || len(neg) < 120 {
		t.Fatalf("%d and %d sentences", len(pos), len(neg))
	}
	found, wrong := 0, 0
	for _, s := range pos {
		got := ReadStatements(s.text, time.Time{})
		switch {
		case len(got) == 1 && got[0].Kind == s.kind && got[0].Text == s.want:
			found++
		case len(got) > 0:
			wrong++
			t.Errorf("line %d: %q: %+v", s.line, s.text, got)
		default:
			t.Logf("line %d: %q is not found", s.line, s.text)
		}
	}
	for _, s := range neg {
		if got := ReadStatements(s.text, time.Time{}); len(got) > 0 {
			wrong++
			t.Errorf("line %d: %q: %+v", s.line, s.text, got)
		}
	}
	t.Logf("%d of %d found, %d wrong", found, len(pos), wrong)
}

// Days that mean another day tomorrow are added when the sentence is read.
func TestDays(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC) // a Sunday
	for text, want := range map[string]string{
		"The deadline is next Friday.":       "The deadline is next Friday (2026-11-27)",
		"Our standup is next Monday at ten.": "Our standup is next Monday at ten (2026-11-23)",
		"Our beta ships on 4 December 2026.": "Our beta ships on 4 December 2026",
		"I prefer tabs over spaces.":         "I prefer tabs over spaces",
	} {
		got := ReadStatements(text, at)
		if len(got) != 1 || got[0].Text != want {
			t.Errorf("%q: %+v, want %q", text, got, want)
		}
		if got := ReadStatements(text, time.Time{}); len(got) != 1 || got[0].Text != strings.TrimSuffix(text, ".") {
			t.Errorf("%q at no time: %+v", text, got)
		}
	}
}

// Several sentences of one message are read one by one.
func TestMessage(t *testing.T) {
	t.Parallel()
	const message = "Hey ken! I'm a nurse from Ghent. Can you help me with a rota? We use v1.2 of plan.py in this ward. Thanks :)"
	got := ReadStatements(message, time.Time{})
	if len(got) != 2 || got[0].Text != "I'm a nurse from Ghent" || got[1].Text != "We use v1.2 of plan.py in this ward" {
		t.Errorf("%+v", got)
	}
	long := "I prefer tabs.\n"
	for range mostLines {
		long += "some line of a paste\n"
	}
	if got := ReadStatements(long, time.Time{}); len(got) > 0 {
		t.Errorf("a pasted text states %+v", got)
	}
}

// A statement is a part of the text, and is found again in itself.
func FuzzReadStatements(f *testing.F) {
	f.Add("I prefer tabs. The demo is next Friday!\nWe use go; my name is \xff Bob")
	f.Add("Actually the port is 8081 — i always use it … never mind.")
	at := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range ReadStatements(text, at) {
			if !memory.Kind(s.Kind).Known() || s.Kind == memory.KindRule || strings.ContainsAny(s.Text, "\n\x1b") {
				t.Fatalf("%q: %+v", text, s)
			}
		}
		for _, s := range ReadStatements(text, time.Time{}) {
			if !strings.Contains(termsafe.Clean(text), s.Text) {
				t.Fatalf("%q is not in %q", s.Text, text)
			}
		}
	})
}

func BenchmarkReadStatements(b *testing.B) {
	text := strings.Repeat("I prefer tabs over spaces. Where is the log? We decided on Postgres. Fix it. ", 12) // a KB, nearly
	for b.Loop() {
		ReadStatements(text, time.Time{})
	}
}
