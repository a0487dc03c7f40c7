package markdown

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/termsafe"
)

// outline writes blocks down so that a person can compare them with the text.
func outline(b *strings.Builder, blocks []*Block, indent string) {
	names := []string{"paragraph", "heading", "rule", "code", "table", "command", "quote", "item"}
	for _, k := range blocks {
		fmt.Fprintf(b, "%s%s", indent, names[k.Kind])
		if k.Level > 0 {
			fmt.Fprintf(b, " %d", k.Level)
		}
		for _, s := range []string{k.Mark, k.About} {
			if s != "" {
				fmt.Fprintf(b, " %s", s)
			}
		}
		b.WriteString("\n")
		for line := range strings.Lines(k.Code) {
			fmt.Fprintf(b, "%s  |%s", indent, line)
		}
		for _, l := range k.Lines {
			fmt.Fprintf(b, "%s  %s\n", indent, outlineSpans(l))
		}
		for _, r := range k.Rows {
			b.WriteString(indent + " ")
			for _, c := range r {
				fmt.Fprintf(b, " [%s]", outlineSpans(c))
			}
			b.WriteString("\n")
		}
		outline(b, k.Blocks, indent+"    ")
	}
}

func outlineSpans(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		look := ""
		for _, l := range []struct {
			is   bool
			name string
		}{{s.Bold, "b"}, {s.Italic, "i"}, {s.Strike, "s"}, {s.Code, "c"}} {
			if l.is {
				look += l.name
			}
		}
		switch {
		case s.Target != "":
			fmt.Fprintf(&b, "{%s %s→%s}", look, s.Text, s.Target)
		case look != "":
			fmt.Fprintf(&b, "{%s %s}", look, s.Text)
		default:
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

// TestDocument compares the blocks of each sample with a file that somebody has read.
func TestDocument(t *testing.T) {
	t.Parallel()
	for name, text := range samples(t) {
		var b strings.Builder
		outline(&b, Read(text), "")
		file := filepath.Join("testdata", name+".blocks")
		if *update {
			if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), b.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestDocumentBlocks are cases whose blocks are plain to see.
func TestDocumentBlocks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                            "",
		"a *b* **c** `d` ~~e~~":       "paragraph\n  a {i b} {b c} {c d} {s e}\n",
		"# Title #\ntext":             "heading 1\n  Title\nparagraph\n  text\n",
		"- a\n- b\n  more":            "item -\n    paragraph\n      a\nitem -\n    paragraph\n      b\n      more\n",
		"```go\nx <y>\n\n```\nb":      "code go\n  |x <y>\n  |\nparagraph\n  b\n",
		"> a\n> b\nc":                 "quote\n    paragraph\n      a\n      b\nparagraph\n  c\n",
		"|a|b|\n|-|-|\n|1|2|3|\n|4|":  "table\n  [a] [b]\n  [1] [2 | 3]\n  [4] []\n",
		"|a|\nb":                      "paragraph\n  |a|\n  b\n",
		"|a|":                         "paragraph\n  |a|\n",
		"    x\n\n      y\n\nz":       "code\n  |x\n  |\n  |  y\nparagraph\n  z\n",
		"```\nno end":                 "code\n  |no end\n",
		"> ```\n> in\nout":            "quote\n    code\n      |in\nparagraph\n  out\n",
		"```a``` b":                   "paragraph\n  {c a} b\n",
		"CMD: rm -r x":                "command\n  |rm -r x\n",
		"[x](https://a.b/c)":          "paragraph\n  { x→https://a.b/c}\n",
		"[x **y**](https://a.b/c) z":  "paragraph\n  { x →https://a.b/c}{b y→https://a.b/c} z\n",
		"[x](javascript:alert(1))":    "paragraph\n  x (javascript:alert(1))\n",
		"[x](https://u:p@a.b)":        "paragraph\n  x (https://u:p@a.b)\n",
		"[x](data:text/html,a)":       "paragraph\n  x (data:text/html,a)\n",
		"<https://a.b> <b> &lt;":      "paragraph\n  { https://a.b→https://a.b} <b> <\n",
		"a\x1b]0;t\x07b\u202e":        "paragraph\n  ab\n",
		"![cat](https://a.b/cat.png)": "paragraph\n  { cat→https://a.b/cat.png}\n",
		"a\n\nb\n---\nc":              "paragraph\n  a\nparagraph\n  b\n  ---\n  c\n",
		"a\n\n---\nc":                 "paragraph\n  a\nrule\nparagraph\n  c\n",
		"1. [ ] a\n2. b\n   - c\n\n   d\n": "item 1. [ ]\n    paragraph\n      a\n" +
			"item 2.\n    paragraph\n      b\n    item -\n        paragraph\n          c\n    paragraph\n      d\n",
	} {
		var b strings.Builder
		if outline(&b, Read(text), ""); b.String() != want {
			t.Errorf("%q:\n%swant\n%s", text, b.String(), want)
		}
	}
}

// TestDocumentHost: the host of a link is told where the text does not say it.
func TestDocumentHost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		s    Span
		want string
	}{
		{Span{Text: "x"}, ""},
		{Span{Text: "x", Target: "https://evil.example/a.b"}, "evil.example"},
		{Span{Text: "https://a.b/c", Target: "https://a.b/c"}, ""},
		{Span{Text: "us", Target: "mailto:a@b.c"}, "a@b.c"},
	} {
		if got := c.s.Host(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.s, got, c.want)
		}
	}
}

// checkBlocks holds what is true of the blocks of any text.
func checkBlocks(t complainer, text string, blocks []*Block) {
	t.Helper()
	spans := func(list []Span) {
		for _, s := range list {
			if s.Text == "" || strings.Contains(s.Text, "\n") || s.Target != "" && !leadsOut(s.Target) {
				t.Errorf("%q: span %+v", text, s)
			}
		}
	}
	for _, b := range blocks {
		for _, s := range []string{b.Mark, b.About, b.Code} {
			if joined(termsafe.Clean(s)) != joined(s) || b.Code != "" && !strings.HasSuffix(b.Code, "\n") {
				t.Errorf("%q: %+v", text, b)
			}
		}
		if b.Kind == Paragraph && len(b.Lines) == 0 || b.Kind == Heading && (len(b.Lines) != 1 || b.Level < 1 || b.Level > 6) ||
			b.Kind == Table && len(b.Rows) == 0 {
			t.Errorf("%q: %+v", text, b)
		}
		for _, l := range b.Lines {
			if spans(l); len(l) == 0 {
				t.Errorf("%q: an empty line", text)
			}
		}
		for _, r := range b.Rows {
			if len(r) != len(b.Rows[0]) {
				t.Errorf("%q: %d cells, %d in the head", text, len(r), len(b.Rows[0]))
			}
			for _, c := range r {
				spans(c)
			}
		}
		checkBlocks(t, text, b.Blocks)
	}
}

// joined is a text without what joins and varies the characters beside it, which is clean or not by what these are: marks that go
// part them.
func joined(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0x200c && r <= 0x200f, r == 0x61c, r == 0xfe0e, r == 0xfe0f, r == 0x20e3, r >= 0xe0000 && r <= 0xe007f:
			return -1
		}
		return r
	}, s)
}

// TestDocumentTime: a text of the worst kind is read in time, and takes no room beyond what it has.
func TestDocumentTime(t *testing.T) {
	t.Parallel()
	wide := "|" + strings.Repeat("a|", 5000) + "\n|" + strings.Repeat("-|", 5000) + "\n" + strings.Repeat("|\n", 10000)
	for _, text := range []string{
		wide, strings.Repeat("*a ", 20000), strings.Repeat("`a``", 15000), strings.Repeat("> ", 30000),
		strings.Repeat("    x\n\n", 10000), strings.Repeat("```\n", 10000),
	} {
		checkBlocks(t, text, Read(text))
	}
	if got := Read(wide)[0].Kind; got != Paragraph {
		t.Errorf("a table of 5,000 columns is %d", got)
	}
}

// TestDocumentLosesNothing: letters and digits come out as they went in, in order, of the texts
// that TestNothingIsLost has.
func TestDocumentLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		for _, out := range []string{"|", "&", "<", "(", "\x1b", "\x9b", "CMD: "} {
			text = strings.ReplaceAll(text, out, "")
		}
		letters := func(s string) string {
			return strings.Map(func(r rune) rune {
				if unicode.IsLetter(r) || unicode.IsDigit(r) {
					return r
				}
				return -1
			}, s)
		}
		var b strings.Builder
		blocks := Read(text)
		said(&b, blocks)
		checkBlocks(t, text, blocks)
		if got, want := letters(b.String()), letters(termsafe.Clean(text)); got != want {
			t.Errorf("%q: the blocks have\n%q, want\n%q", text, got, want)
		}
	})
}

// TestSettled: what is settled of a text stays what it was, whatever comes, and is read by itself as it is in the whole.
func TestSettled(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := termsafe.Clean(drawText(t) + "\n\n" + drawText(t) + "\n" + drawText(t))
		whole := Read(text)
		for at := range text {
			n := Settled(text[:at])
			if diff := cmp.Diff(whole, append(Read(text[:n]), Read(text[n:])...)); diff != "" {
				t.Fatalf("%q, of %d bytes %d are settled (-whole +apart)\n%s", text, at, n, diff)
			}
		}
	})
	for text, want := range map[string]int{
		"": 0, "one": 0, "one\n": 0, "one\n\n": 0, "one\n\ntwo": 0, "one\n\ntwo\n": 5, "- one\n- two\n": 6, "- one\n\n  two\n": 0,
		"```\none\n\ntwo\n": 0, "```\none\n```\n\ntwo\n": 13, "> one\n> two\n": 0, "    one\n\n    two\n": 0,
	} {
		if got := Settled(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// said writes down all that blocks hold, in the order of the text.
func said(b *strings.Builder, blocks []*Block) {
	for _, k := range blocks {
		b.WriteString(k.Mark + k.About + k.Code)
		for _, l := range k.Lines {
			for _, s := range l {
				b.WriteString(s.Text)
			}
		}
		said(b, k.Blocks)
	}
}

// FuzzRead: any bytes have blocks that are sound.
func FuzzRead(f *testing.F) {
	for _, text := range samples(f) {
		f.Add(text)
	}
	for _, a := range atoms() {
		f.Add(a + a + "\n" + a)
	}
	f.Fuzz(func(t *testing.T, text string) { checkBlocks(t, text, Read(text)) })
}
