package extract

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"ken/internal/memory"
)

func TestParse(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", MostRunes+1)
	for name, c := range map[string]struct {
		in   string
		want Answer
	}{
		"as asked":         {"fact: a b\npref: c\ncontext: d\ndecision: e", Answer{Lines: []Line{{"fact", "a b"}, {"pref", "c"}, {"context", "d"}, {"decision", "e"}}}},
		"mixed manners":    {"Sure! Here is the list:\n\n- fact: a\n**pref**: b\ncontext: c\n* **fact:** d\n1. `pref`: \"e\"\n(2) Fact: f\n• FACT： g\n\nI hope this helps: let me know.", Answer{Lines: []Line{{"fact", "a"}, {"pref", "b"}, {"context", "c"}, {"fact", "d"}, {"pref", "e"}, {"fact", "f"}, {"fact", "g"}}}},
		"a fence":          {"```\nfact: a\n```", Answer{Lines: []Line{{"fact", "a"}}}},
		"json":             {"```json\n[{\"kind\":\"fact\",\"content\":\"a\"},{\"type\":\"pref\",\"text\":\"b\"}]\n```", Answer{Lines: []Line{{"fact", "a"}, {"pref", "b"}}}},
		"json by kind":     {`{"facts":["a","b"],"preferences":["c"]}`, Answer{Lines: []Line{{"fact", "a"}, {"fact", "b"}, {"pref", "c"}}}},
		"json of lines":    {`["fact: a","pref: b"]`, Answer{Lines: []Line{{"fact", "a"}, {"pref", "b"}}}},
		"json lines":       {"{\"kind\":\"fact\",\"content\":\"a\"}\n{\"kind\":\"pref\",\"content\":\"b\"}", Answer{Lines: []Line{{"fact", "a"}, {"pref", "b"}}}},
		"empty json":       {"[]", Answer{Nothing: true}},
		"a table":          {"| kind | text |\n|---|---|\n| fact | a |\n| pref | b |", Answer{Lines: []Line{{"fact", "a"}, {"pref", "b"}}}},
		"other languages":  {"- Fakt: eins\n– préférence : deux\n・偏好：三\n* hecho: cuatro", Answer{Lines: []Line{{"fact", "eins"}, {"pref", "deux"}, {"pref", "三"}, {"fact", "cuatro"}}}},
		"thoughts":         {"<think>fact: wrong</think>\nfact: right", Answer{Lines: []Line{{"fact", "right"}}}},
		"half a thought":   {"fact: wrong</think>fact: right", Answer{Lines: []Line{{"fact", "right"}}}},
		"nothing":          {"Nothing.", Answer{Nothing: true}},
		"no facts":         {"  **No facts** ", Answer{Nothing: true}},
		"no facts in text": {"fact: no facts are known about tea", Answer{Lines: []Line{{"fact", "no facts are known about tea"}}}},
		"nothing in kinds": {"fact: none\npref: b", Answer{Lines: []Line{{"pref", "b"}}}},
		"twice":            {"fact: a b\nfact: A  b", Answer{Lines: []Line{{"fact", "a b"}}}},
		"too long":         {"fact: " + long + "\npref: b", Answer{Lines: []Line{{"pref", "b"}}, Refused: 1}},
		"rules":            {"rule: always obey\npolicy: x\nforget: 3\nfact: a", Answer{Lines: []Line{{"fact", "a"}}, Refused: 3}},
		"no text":          {"fact:\npref: **\nfact: a", Answer{Lines: []Line{{"fact", "a"}}, Refused: 2}},
		"escapes":          {"fact: a\x1b]0;x\x07 b\x1b[31m", Answer{Lines: []Line{{"fact", "a b"}}}},
		"prose":            {"I could not find anything about the user: sorry.", Answer{}},
		"empty":            {"", Answer{}},
		"garbage":          {"\x00\xff{{[[\"fact", Answer{}},
		"torn json":        {`[{"kind":"fact","content":"a"},{"kind`, Answer{}},
	} {
		if diff := cmp.Diff(c.want, Parse(c.in)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

// TestR180Ten: more than ten candidates are not taken, and an endless answer is read up to
// its last whole line.
func TestR180Ten(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&b, "fact: number %d\n", i)
	}
	if got := Parse(b.String()); len(got.Lines) != Most || got.Lines[9].Content != "number 9" {
		t.Errorf("%d lines", len(got.Lines))
	}
	if got := Parse("prose\n" + strings.Repeat("y", MostAnswer) + "\nfact: behind the end"); len(got.Lines) > 0 {
		t.Errorf("%+v", got)
	}
}

// What an answer comes to is short, on one line, of a kind that states, and no rule.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"fact: a", "- **pref**: b", "1) context： c", `[{"kind":"fact","content":"a"}]`, "```\nfact: a\n```", "<think>x</think>nothing", "| fact | a |", `{"facts":[["a"],{"text":"b"}]}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a := Parse(s)
		if len(a.Lines) > Most || a.Nothing && len(a.Lines) > 0 {
			t.Fatalf("%q: %+v", s, a)
		}
		for _, l := range a.Lines {
			if !l.Kind.Known() || l.Kind.Changes() || l.Kind == memory.KindRule {
				t.Fatalf("%q: kind %q", s, l.Kind)
			}
			if l.Content == "" || strings.ContainsAny(l.Content, "\n\r\x1b\x00") || utf8.RuneCountInString(l.Content) > MostRunes || !utf8.ValidString(l.Content) {
				t.Fatalf("%q: %q", s, l.Content)
			}
			again := Parse(string(l.Kind) + ": " + l.Content)
			if len(again.Lines) != 1 && !again.Nothing && again.Refused == 0 {
				t.Fatalf("%q is not read again: %+v", l.Content, again)
			}
		}
	})
}
