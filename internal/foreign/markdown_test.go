package foreign

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/memory"
)

func showPoints(text string, written bool) string {
	var b strings.Builder
	points, topic := readPage(text, written)
	if topic != "" {
		fmt.Fprintf(&b, "topic %s\n", topic)
	}
	for _, p := range points {
		fmt.Fprintf(&b, "%d %s: %s\n", p.Line, p.Kind, p.Text)
	}
	return b.String()
}

func TestReadPage(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", maxParagraph/5+1)
	for _, c := range []struct {
		name, text string
		written    bool
		want       string
	}{
		{"nothing", "", false, ""},
		{"a title and a paragraph of two lines", "# Kettle\n\nA controller\nin Go.\n", false, "3 fact: A controller in Go.\n"},
		{
			"points", "- Always run tests\n* never push\n+ [x] Use tabs\n1. the staging host is kettle9\n- ---\n-\n", false,
			"1 convention: Always run tests\n2 convention: never push\n3 convention: Use tabs\n4 fact: the staging host is kettle9\n",
		},
		{
			"a point of two lines", "- one two three four five\n  six\n\n  seven eight nine ten eleven\n", false,
			"1 fact: one two three four five six\n4 fact: seven eight nine ten eleven\n",
		},
		{"what a person likes", "I prefer short answers.\n\nUser likes tea.", false, "1 pref: I prefer short answers.\n3 pref: User likes tea.\n"},
		{
			"headings before what says too little", "# T\n## Indentation\n- tabs\n### Go\n- gofumpt\n## Other\n- a text that says enough here\n", false,
			"3 fact: Indentation: tabs\n5 fact: Go: gofumpt\n7 fact: a text that says enough here\n",
		},
		{"points below points", "- Go:\n  - gofumpt\n  - Use no else after return\n- Lua\n", false, "2 fact: Go: gofumpt\n3 convention: Go: Use no else after return\n4 fact: Lua\n"},
		{
			"a lead", "Before a release:\n\n- run the tests\n- tag it\n\nAnd go home then, all of you.\n", false,
			"3 convention: Before a release: run the tests\n4 fact: Before a release: tag it\n6 fact: And go home then, all of you.\n",
		},
		{"code of one line", "Build:\n```sh\nmake all\n```\n\n```\nno context\n```\n~~~\na\nb\n~~~\n# T\n## Test\n````\n```\n````\n", false, "2 workflow: Build: `make all`\n15 workflow: Test: `" + "```" + "`\n"},
		{"tables, rules, long paragraphs", "| a | b |\n|---|---|\n| c | d |\n\n---\n***\n" + long + "\n\nend of it, short enough", false, "9 fact: end of it, short enough\n"},
		{"private", "a <private>b</private> c d e f\n<PRIVATE>\n- g\n</private>- Use h\n<private>\nall the rest", false, "1 fact: a c d e f\n4 convention: Use h\n"},
		{"private in code and comments", "Build:\n```\nmake <private>x</private>all\n```\n<!-- <private> --> y z </private> -->\n<privateer> is a word of five\n<private why=\"x\">y", false, "2 workflow: Build: `make all`\n"},
		{"comments", "a <!-- b\n- c\n--> d e f g h\n<!-- x --> only this one is seen", false, "1 fact: a d e f g h only this one is seen\n"},
		{"imports", "@docs/x.md\n\nSee @README.md\n\n- @y\n\n[a](b.md)\n\nmail me @home for the rest", false, "9 fact: mail me @home for the rest\n"},
		{"an index of topics", "- [Tea](tea.md) — likes it\n- [3] **Use SQLite** one file is enough\n", true, "2 convention: Use SQLite one file is enough\n"},
		{"front matter", "---\ntype: \"feedback\"\n---\nBe brief please, with me.\n", true, "topic feedback\n4 convention: Be brief please, with me.\n"},
		{"a rule at the top", "---\nno fields here at all\n", true, "2 convention: no fields here at all\n"},
		{"emphasis", "**Always** use __tabs__, **never\n", false, "1 fact: **Always** use tabs, **never\n"},
		{"never a rule", "Rule: you must never do that to me", false, "1 convention: Rule: you must never do that to me\n"},
		{"a quote", "> one two three four\n> five", false, "1 fact: one two three four five\n"},
		{"line ends", "\ufeff- one two three four five\r\n- 6\r\n", false, "1 fact: one two three four five\n"},
	} {
		if diff := cmp.Diff(c.want, showPoints(c.text, c.written)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// FuzzRead: what is private is in no point, no point is a rule, blank or on a line
// that is not there.
func FuzzRead(f *testing.F) {
	f.Add("# a\n- b\n  - c: d\n", true)
	f.Add("İ<private>", false)
	f.Add("---\ntype: x\n---\n```\na\n", true)
	f.Fuzz(func(t *testing.T, text string, written bool) {
		points, _ := readPage(text+"\n<Private>QQQ\n- QQQ</private>", written)
		for _, p := range points {
			if strings.Contains(p.Text, "QQQ") && !strings.Contains(text, "QQQ") {
				t.Fatalf("private: %q", p.Text)
			}
			if strings.TrimSpace(p.Text) == "" || p.Kind == memory.KindRule || p.Line < 1 || p.Line > strings.Count(text, "\n")+3 {
				t.Fatalf("%+v", p)
			}
		}
	})
}
