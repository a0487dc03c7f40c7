package markdown

import (
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/hinshun/vt10x"
	"pgregory.net/rapid"

	"ken/internal/termsafe"
)

// A complainer is a test of testing or of rapid.
type complainer interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// output is what is shown of pieces.
func output(t complainer, width int, o Options, pieces ...string) string {
	t.Helper()
	var b strings.Builder
	o.Width = func() int { return width }
	w := New(&b, o)
	for _, p := range pieces {
		if _, err := w.WriteString(p); err != nil {
			t.Fatalf("%v", err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatalf("%v", err)
	}
	return b.String()
}

func looks() []Options { return []Options{{}, {Unicode: true}, {Unicode: true, Styled: true}} }

// sgr finds the sequences that a Writer prints.
func sgr() *regexp.Regexp { return regexp.MustCompile(`\x1b\[[0-9]{1,2}(;[0-9]{1,2})*m`) }

// checkShown holds the laws that are true of what is shown of any text.
func checkShown(t complainer, text, shown string, o Options, width int) {
	t.Helper()
	bare := sgr().ReplaceAllString(shown, "")
	if !o.Styled && bare != shown {
		t.Errorf("%q: styles that were not allowed: %q", text, shown)
	}
	if termsafe.Clean(bare) != bare || strings.ContainsRune(bare, 0x1b) {
		t.Errorf("%q: not clean: %q", text, shown)
	}
	for line := range strings.Lines(shown) {
		if found := sgr().FindAllString(line, -1); len(found) > 0 && found[len(found)-1] != "\x1b[0m" {
			t.Errorf("%q: the style goes on after %q", text, line)
		}
	}
	if text != "" && shown != "" && shown[len(shown)-1] != '\n' {
		t.Errorf("%q: no end of the line: %q", text, shown)
	}
	if most := (len(text) + 2) * (64 + 8*width); len(shown) > most {
		t.Errorf("%.200q: %d bytes of %d", text, len(shown), len(text))
	}
}

// atoms are what texts of markdown are made of.
func atoms() []string {
	return []string{
		"a", "word", "Z", "9", " ", "  ", "    ", "\t", "\n", "\n\n", "é", "e\u0301", "漢字", "かな。", "「", "✅", "❤\ufe0f", "👩\u200d💻", "🇩🇪", "\u0301",
		"*", "**", "***", "_", "__", "~", "~~", "`", "``", "```", "```go\n", "~~~", "#", "# ", "## ", "> ", ">", "- ", "-", "+ ", "1. ", "12) ", "[ ] ", "[x] ", "|", "| ", " | ", "|---|---|\n", "|:-:|\n", "---", "***\n",
		"[", "]", "(", ")", "](", "!", "![", "<", ">", "<https://", "https://x.y/a_b", "&", "&lt;", "&amp", "\\", "\\*", "\\[", "\\|", "CMD: ", "CMD", "C", "<br>", ".", ",", ":", "/", "**/*.go", "snake_case", "2*3*4",
		"\x1b[31m", "\x1b", "\x1b]0;t", "\x07", "\r", "\x9b", "\xff", "\u202e", "\"", "'", "//", "/*", "*/", "if ", "$ ",
		"a longer text that needs to be wrapped somewhere near the right edge ", strings.Repeat("x", 50), strings.Repeat("y ", 150), strings.Repeat("-", 30),
	}
}

func drawText(t *rapid.T) string {
	list := atoms()
	var b strings.Builder
	for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(list)-1), 0, 60).Draw(t, "atoms") {
		b.WriteString(list[i])
	}
	return b.String()
}

// TestPieces: how a text is cut does not change what is shown of it.
func TestPieces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		width := rapid.SampledFrom([]int{1, 5, 20, 33, 60, 80, 150}).Draw(t, "width")
		o := rapid.SampledFrom(looks()).Draw(t, "look")
		whole := output(t, width, o, text)
		checkShown(t, text, whole, o, width)
		var pieces []string
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		if got := output(t, width, o, pieces...); got != whole {
			t.Errorf("in pieces %q:\n%q\nwhole:\n%q", pieces, got, whole)
		}
	})
}

// TestSamplesByteByByte is the same for the samples, in the smallest pieces.
func TestSamplesByteByByte(t *testing.T) {
	t.Parallel()
	for name, text := range samples(t) {
		for _, width := range []int{7, 60} {
			for _, o := range looks() {
				whole := output(t, width, o, text)
				checkShown(t, text, whole, o, width)
				if got := output(t, width, o, strings.Split(text, "")...); got != whole {
					t.Errorf("%s at %d: differs", name, width)
				}
				if got := output(t, width, o, bytewise(text)...); got != whole {
					t.Errorf("%s at %d: differs byte by byte", name, width)
				}
			}
		}
	}
}

func bytewise(s string) []string {
	out := make([]string, len(s))
	for i := range len(s) {
		out[i] = s[i : i+1]
	}
	return out
}

// TestNothingIsLost: letters and digits come out as they went in, in order. Of
// the constructs that change them on purpose (entities, links that say their
// target twice, tables as lists) none is in these texts.
func TestNothingIsLost(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		for _, out := range []string{"|", "&", "<", "(", "\x1b", "\x9b"} {
			text = strings.ReplaceAll(text, out, "")
		}
		o := rapid.SampledFrom(looks()).Draw(t, "look")
		letters := func(s string) string {
			return strings.Map(func(r rune) rune {
				if unicode.IsLetter(r) || unicode.IsDigit(r) {
					return r
				}
				return -1
			}, s)
		}
		shown := sgr().ReplaceAllString(output(t, 40, o, text), "")
		if got, want := letters(shown), letters(termsafe.Clean(text)); got != want {
			t.Errorf("%q: shown are the letters\n%q, want\n%q", text, got, want)
		}
	})
}

// TestPlainTextStays: text without markup that fits is shown as it is.
func TestPlainTextStays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.StringMatching(`[a-zA-Z0-9,.;:?/=()'"$%^@{}é漢-]{1,12}`)).Draw(t, "words")
		text := "Text " + strings.Join(words, " ")
		if len(text) > 3000 {
			return
		}
		shown := output(t, 100, Options{Styled: true, Unicode: true}, text)
		if got := strings.Fields(strings.ReplaceAll(shown, "\n", " ")); strings.Join(got, "") != strings.Join(strings.Fields(text), "") {
			t.Errorf("%q: shown as %q", text, shown)
		}
	})
}

// TestScreen: a terminal that is sent the bytes shows the lines that were meant.
// Those that are longer than the terminal, it breaks itself.
func TestScreen(t *testing.T) {
	t.Parallel()
	for name, text := range samples(t) {
		if name == "emoji" || name == "table-cjk" || name == "cjk" {
			continue // the emulator gives every character one cell
		}
		for _, width := range []int{20, 60, 61, 100} {
			shown := show(t, text, width, Options{Styled: true})
			var want []string
			for line := range strings.Lines(sgr().ReplaceAllString(shown, "")) {
				line = strings.TrimSuffix(line, "\n")
				if strings.Contains(line, "\t") || !isASCII(line) {
					want = nil
					break
				}
				for len(line) > width {
					want, line = append(want, line[:width]), line[width:]
				}
				want = append(want, line)
			}
			if want == nil {
				continue
			}
			term := vt10x.New(vt10x.WithSize(width, len(want)+1))
			if _, err := io.WriteString(term, strings.ReplaceAll(shown, "\n", "\r\n")); err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(term.String(), "\n")[:len(want)] {
				if got := strings.TrimRight(line, " "); got != strings.TrimRight(want[i], " ") {
					t.Errorf("%s at %d, line %d: the screen shows\n%q, want\n%q", name, width, i+1, got, want[i])
				}
			}
		}
	}
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// TestProseFits: no line of prose is longer than the terminal if its words are not.
func TestProseFits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(22, 130).Draw(t, "width")
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "of", "word", "**bold**", "`code`", "*and so on*", "漢字", "é", "considerable", "(in", "brackets)", "[x](y)"}), 1, 120).Draw(t, "words")
		start := rapid.SampledFrom([]string{"", "- ", "> ", "1. ", "- > ", "# "}).Draw(t, "start")
		shown := output(t, width, Options{Styled: true, Unicode: true}, start+strings.Join(words, " "))
		for line := range strings.Lines(sgr().ReplaceAllString(shown, "")) {
			if got := termsafe.Width(strings.TrimSuffix(line, "\n")); got >= width || got > 100 {
				t.Errorf("%d cells of %d: %q", got, width, line)
			}
		}
	})
}

// FuzzWriter: the laws, on any bytes, cut in any way.
func FuzzWriter(f *testing.F) {
	for _, text := range samples(f) {
		f.Add(text, 60, 7, 2)
	}
	for _, a := range atoms() {
		f.Add(a+a+"\n"+a, 20, 1, 1)
	}
	f.Fuzz(func(t *testing.T, text string, width, size, look int) {
		width, size = 1+max(0, width%200), 1+max(0, size%17)
		o := looks()[max(0, look%3)]
		whole := output(t, width, o, text)
		checkShown(t, text, whole, o, width)
		var pieces []string
		for i := 0; i < len(text); i += size {
			pieces = append(pieces, text[i:min(len(text), i+size)])
		}
		if got := output(t, width, o, pieces...); got != whole {
			t.Errorf("in pieces of %d:\n%q\nwhole:\n%q", size, got, whole)
		}
	})
}

// TestFaults: an error of the terminal is told, and the Writer can be used on.
func TestFaults(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	w := New(brokenWriter{broken}, Options{Width: func() int { return 80 }})
	if n, err := w.WriteString("text "); n != 0 || !errors.Is(err, broken) {
		t.Errorf("%d, %v", n, err)
	}
	if err := w.Interrupt(); !errors.Is(err, broken) {
		t.Error(err)
	}
	if err := w.Flush(); !errors.Is(err, broken) {
		t.Error(err)
	}
	if err := w.Flush(); err != nil {
		t.Errorf("another text, which is empty: %v", err)
	}
}

type brokenWriter struct{ err error }

func (b brokenWriter) Write([]byte) (int, error) { return 0, b.err }
