package markdown

import (
	"strings"
	"testing"
)

// A step is a piece of a text and what is shown of it at once.
type step struct{ in, out string }

func play(t *testing.T, name string, o Options, steps []step) {
	t.Helper()
	var b strings.Builder
	if o.Width == nil {
		o.Width = func() int { return 40 }
	}
	w := New(&b, o)
	for _, s := range steps {
		b.Reset()
		var err error
		switch s.in {
		case "END":
			err = w.Flush()
		case "BREAK":
			err = w.Interrupt()
		default:
			_, err = w.WriteString(s.in)
		}
		if err != nil {
			t.Fatal(err)
		}
		if b.String() != s.out {
			t.Errorf("%s: at %q was shown %q, want %q", name, s.in, b.String(), s.out)
		}
	}
}

// TestR20Live: what is shown when.
func TestR20Live(t *testing.T) {
	t.Parallel()
	styled := Options{Styled: true, Unicode: true}
	for name, steps := range map[string][]step{
		"words come as they are": {{"Hel", "Hel"}, {"lo, ", "lo,"}, {"wor", " wor"}, {"ld", "ld"}, {"END", "\n"}},
		"a word near the edge waits": {
			{strings.Repeat("x", 30), strings.Repeat("x", 30)},
			{" fits", ""},
			{" ", " fits"},
			{"do", ""},
			{"es", "\ndoes"},
			{"not", "not"},
			{" any", " any"},
			{"END", "\n"},
		},
		"a span waits for its end":  {{"a **b", "a"}, {" c*", ""}, {"*", ""}, {".", " \x1b[1mb c\x1b[0m."}, {" `x", ""}, {"`", ""}, {" ", " \x1b[36mx"}, {"y", "\x1b[0m y"}, {"END", "\n"}},
		"a mark that opens nothing": {{"2*", "2"}, {"3", "*3"}, {" * ", " *"}, {"*", ""}, {" b", " * b"}, {"END", "\n"}},
		"not longer than its line":  {{"a **b", "a"}, {"\n", " **b\n"}, {"END", ""}},
		"a link":                    {{"[t", ""}, {"](u", ""}, {")", "t (\x1b[4mu\x1b[0m)"}, {".", "."}, {"END", "\n"}},
		"a list":                    {{"-", ""}, {" ", ""}, {"a", "• a"}, {"\n", "\n"}, {"END", ""}},
		"a heading":                 {{"#", ""}, {"# ", ""}, {"Ti", "\x1b[1mTi"}, {"tle", "tle"}, {" #", ""}, {"#\n", "\x1b[0m\n"}},
		"code, line by line":        {{"```", ""}, {"go", ""}, {"\n", "\x1b[2m── go ─────────────────────────────────\x1b[0m\n"}, {"var ", ""}, {"x\n", "\x1b[35mvar\x1b[0m x\n"}, {"``", ""}, {"`", ""}, {"END", fenceAt40}},
		"a table":                   {{"|a|\n", ""}, {"|-|\n|1", ""}, {"|\n", ""}, {"x", "\x1b[1ma\x1b[0m\n\x1b[2m─\x1b[0m\n1\nx"}},
		"no table":                  {{"|a|\n", ""}, {"x", "|a|\nx"}},
		"a blank line ends a table": {{"|a|\n|-|\n", ""}, {"\n", "\x1b[1ma\x1b[0m\n\n"}},
		"an escape":                 {{"a\x1b[", "a"}, {"31", ""}, {"mb", "b"}, {"END", "\n"}},
		"nothing":                   {{"END", ""}, {"", ""}, {"END", ""}},
		"two texts":                 {{"> a", "\x1b[2m│\x1b[0m a"}, {"END", "\n"}, {"b", "b"}, {"END", "\n"}},
	} {
		play(t, name, styled, steps)
	}
}

// TestHeldBack: nothing is held back for ever.
func TestHeldBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		begin, more string
		most        int // bytes that are held
	}{
		"emphasis":   {"**b", " b", maxSpan + zone},
		"code":       {"`b", " b", maxSpan + zone},
		"link":       {"[b", " b", maxLink + zone},
		"target":     {"[b](b", "b", maxLink + zone},
		"blanks":     {"", " ", maxLine},
		"dashes":     {"", "-", maxLine},
		"fence":      {"```", "`", maxLine},
		"info":       {"```b", "b", maxLine},
		"code line":  {"```\n", "b", maxLine},
		"row":        {"|", "b", maxLine},
		"command":    {"CMD: ", "b", maxLine},
		"heading":    {"#", "#", 8},
		"quotes":     {"", "> ", maxLine},
		"items":      {"", "- ", maxLine},
		"rows":       {"|a|\n|-|\n", "|b|\n", maxTable},
		"an escape":  {"\x1b]0;\n", "b", 5000}, // what stands on its line is gone
		"list words": {"- ", "b", zone},
	} {
		var b strings.Builder
		w := New(&b, Options{Styled: true, Width: func() int { return 80 }})
		text := c.begin
		for len(text) < c.most+100 {
			text += c.more
		}
		if _, err := w.WriteString(text); err != nil {
			t.Fatal(err)
		}
		if b.Len() == 0 && len(c.begin) < len(text) {
			t.Errorf("%s: nothing is shown of %d bytes", name, len(text))
		}
	}
}

// TestR27CommandLine: a line that could be a command is held while it could.
func TestR27CommandLine(t *testing.T) {
	t.Parallel()
	for name, steps := range map[string][]step{
		"whole":        {{"C", ""}, {"MD:", ""}, {" ls", ""}, {" -l", ""}, {"\n", "\x1b[1;33mCMD: ls -l\x1b[0m\n"}},
		"at the end":   {{"CMD: ls", ""}, {"END", "\x1b[1;33mCMD: ls\x1b[0m\n"}},
		"markup in it": {{"CMD: ls **/*.go `x`\n", "\x1b[1;33mCMD: ls **/*.go `x`\x1b[0m\n"}},
		"not wrapped":  {{"CMD: " + strings.Repeat("word ", 12) + "\n", "\x1b[1;33mCMD: " + strings.Repeat("word ", 12) + "\x1b[0m\n"}},
		"a word":       {{"C", ""}, {"a", "Ca"}},
		"no blank":     {{"CMD:", ""}, {"x", "CMD:x"}},
		"cut off":      {{"CMD", ""}, {"END", "CMD\n"}},
		"lower case":   {{"cmd: ls", "cmd: ls"}},
		"indented":     {{" CMD: ls", " CMD: ls"}},
		"in a list":    {{"- CMD: ls", "• CMD: ls"}},
		"quoted":       {{"> CMD: ls", "\x1b[2m│\x1b[0m CMD: ls"}},
		"fenced":       {{"```\nCMD: ls\n", fenceAt40 + "CMD: ls\n"}},
		"in a line":    {{"say CMD: ls", "say CMD: ls"}},
		"after a list": {{"- a\nCMD: ls\n", "• a\n\x1b[1;33mCMD: ls\x1b[0m\n"}},
	} {
		play(t, name, Options{Styled: true, Unicode: true}, steps)
	}
	play(t, "no styles", Options{}, []step{{"CMD: ls", ""}, {"\n", "CMD: ls\n"}})
}

// TestInterrupt: what somebody else prints begins a line, and the text goes on
// below with its indentation and style.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	styled := Options{Styled: true, Unicode: true}
	play(t, "at the start", styled, []step{{"BREAK", ""}, {"a", "a"}, {"BREAK", "\n"}, {"BREAK", ""}, {" b", "b"}, {"END", "\n"}})
	play(t, "between lines", styled, []step{{"a\n", "a\n"}, {"BREAK", ""}, {"b", "b"}})
	play(t, "in a list", styled, []step{{"- one", "• one"}, {"BREAK", "\n"}, {" two", "  two"}, {"END", "\n"}})
	play(t, "in a heading", styled, []step{{"## one", "\x1b[1mone"}, {"BREAK", "\x1b[0m\n"}, {" two", "\x1b[1mtwo"}, {"END", "\x1b[0m\n"}})
	play(t, "in a span", styled, []step{{"a **b", "a"}, {"BREAK", "\n"}, {"c** d", "\x1b[1mbc\x1b[0m d"}, {"END", "\n"}})
	play(t, "in code", styled, []step{{"```\nab", fenceAt40}, {"BREAK", ""}, {"c\n", "abc\n"}})
	play(t, "before a held word", styled, []step{{strings.Repeat("x", 30), strings.Repeat("x", 30)}, {" held", ""}, {"BREAK", "\n"}, {" ", "held"}, {"END", "\n"}})
}

// TestResize: the width counts that the terminal has when a line begins.
func TestResize(t *testing.T) {
	t.Parallel()
	width := 40
	play(t, "resize", Options{Width: func() int { return width }}, []step{{"one two three four five six seven eight nine ", "one two three four five six seven eight\nnine"}})
	var b strings.Builder
	w := New(&b, Options{Width: func() int { return width }})
	words := strings.Repeat("word ", 10)
	for _, width = range []int{40, 20, 3, 60} {
		if _, err := w.WriteString(words + "\n"); err != nil {
			t.Fatal(err)
		}
	}
	want := ""
	for _, perLine := range []int{8, 4, 0, 10} { // the last cell stays free
		switch perLine {
		case 0: // a word that no line takes stands alone
			want += strings.Repeat("word\n", 10)
		default:
			for n := 10; n > 0; n -= perLine {
				want += strings.TrimSpace(strings.Repeat("word ", min(n, perLine))) + "\n"
			}
		}
	}
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

// fenceAt40 is what is shown of one on a terminal of 40 cells.
const fenceAt40 = "\x1b[2m───────────────────────────────────────\x1b[0m\n"
