package markdown

import (
	"io"
	"strings"
	"testing"
)

// hardTexts are texts that a careless reader would take long for.
func hardTexts() map[string]string {
	return map[string]string{
		"prose":         "The quick brown fox jumps over the lazy dog, as it does. ",
		"emphasis":      "some **bold** and `code` and *em* in it. ",
		"openers":       "*a **b _c ",
		"half open":     "*a *a b* ",
		"closers":       "a* b** c_ ",
		"nested":        "*a **b ",
		"runs":          "*_~`",
		"ticks":         "` `` ``` ```` ",
		"brackets":      "[",
		"bracket pairs": "[a](",
		"mixed":         "*[`<&\\",
		"bold brackets": "**a [b ",
		"entities":      "&l",
		"quotes":        "> > > > > > > > > > > > a\n",
		"markers":       "- - - - - - a\n",
		"deep list":     "- a\n  - b\n    - c\n      - d\n        - e\n          - f\n            - g\n",
		"blanks":        "          ",
		"dashes":        "-",
		"marks":         "\u0301",
		"emoji":         "👩\u200d💻",
		"cjk":           "漢字、",
		"no blanks":     "aaaaaaaaaaaaaaaa",
		"cells":         "|a|b|c|d|\n|-|-|-|-|\n|1|2|3|4|\n",
		"rows":          "|aaaa **b**|b|c|d|\n",
		"code":          "```go\nfunc main() { /* */ \"x\" }\n```\n",
		"comment":       "/* \" ' ",
		"lines":         "\n",
	}
}

// TestTimeIsLinear: no text takes long. That these end at all within the time of
// a test is the test: what grew with the square would take hours.
//
//ken:unraced
func TestTimeIsLinear(t *testing.T) {
	t.Parallel()
	for name, atom := range hardTexts() {
		for _, start := range []string{"", "```go\n", "|a|b|\n|-|-|\n|", "# ", "> "} {
			text := start + strings.Repeat(atom, 4_000/len(atom))
			for _, size := range []int{1, len(text)} {
				w := New(io.Discard, Options{Styled: true, Unicode: true, Width: func() int { return 80 }})
				for i := 0; i < len(text); i += size {
					if _, err := w.WriteString(text[i:min(i+size, len(text))]); err != nil {
						t.Fatal(name, err)
					}
				}
				if err := w.Flush(); err != nil {
					t.Fatal(name, err)
				}
			}
		}
	}
}

func BenchmarkToken(b *testing.B) {
	for name, atom := range hardTexts() {
		b.Run(name, func(b *testing.B) {
			const token = 5 // bytes
			text := strings.Repeat(atom, 1+20_000/len(atom))
			w := New(io.Discard, Options{Styled: true, Unicode: true, Width: func() int { return 80 }})
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if _, err := w.WriteString(text[i : i+token]); err != nil {
					b.Fatal(err)
				}
				if i += token; i+token > len(text) {
					i = 0
				}
			}
		})
	}
}
