package markdown

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// marked is a block of code with what it is made of in brackets.
func marked(about string, lines ...string) string {
	c := newHighlighter(about)
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		c.Line(line, func(text string, k codeKind) {
			if k == codePlain {
				b.WriteString(text)
				return
			}
			b.WriteString("«" + string("?csnk+-@f"[k]) + text + "»")
		})
	}
	return b.String()
}

func TestCode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ about, code, want string }{
		{"", `if x { return "a" } // b`, `if x { return "a" } // b`},
		{"brainfuck", "+-", "+-"},
		{"go", `if x == 0x1F { return "a\"b" } // c`, `«kif» x == «n0x1F» { «kreturn» «s"a\"b"» } «c// c»`},
		{"Go", "x := `a\nb` + y1", "x := «s`a»\n«sb`» + y1"},
		{"go", "/* a\n\nb */ var x", "«c/* a»\n\n«cb */» «kvar» x"},
		{"{.python}", `def f(): return "it's" # done`, `«kdef» f(): «kreturn» «s"it's"» «c# done»`},
		{"py", "'''a\nb''' + 'c'", "«s'''a»\n«sb'''» + «s'c'»"},
		{"sh", `echo "$HOME" 'a\' # x; don't`, `«kecho» «s"$HOME"» «s'a\'» «c# x; don't»`},
		{"bash", `curl http://x#y -d '{"a": 1}'`, `curl http://x#y -d «s'{"a": 1}'»`},
		{"console", "$ echo 1\nif 1", "$ «kecho» «n1»\nif 1"},
		{"json", `{"a": [1.5e3, true]}`, `{«s"a"»: [«n1.5e3», «ktrue»]}`},
		{"yaml", "a: yes # b\nurl: http://x", "a: «kyes» «c# b»\nurl: http://x"},
		{"sql", "select 1 -- x\nFROM t", "«kselect» «n1» «c-- x»\n«kFROM» t"},
		{"html", `<p class="x">it's</p><!-- a` + "\nb -->", `«k<p» class=«s"x"»>it's«k</p»>«c<!-- a»` + "\n«cb -->»"},
		{"diff", "diff --git\n@@ 1 @@\n+a\n-b\n c\n", "«fdiff --git»\n«@@@ 1 @@»\n«++a»\n«--b»\n c\n"},
		{"rust", "let c: &'static str = \"a\";", "«klet» c: &'«kstatic» str = «s\"a\"»;"},
		{"lua", "-- a # b\nlocal x = #t", "«c-- a # b»\n«klocal» x = #t"},
		{"c", "größe if0 _if if", "größe if0 _if «kif»"},
		{"js", `"never closed`, `"never closed`},
	} {
		if diff := cmp.Diff(c.want, marked(c.about, strings.Split(c.code, "\n")...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.about, diff)
		}
	}
}

// TestCodeLosesNothing: the pieces of a line are the line.
func TestCodeLosesNothing(t *testing.T) {
	t.Parallel()
	languages := strings.Fields("go js ts rust c java py rb sh console json yaml ini sql html css diff other lua")
	pieces := []string{"a", "if", " ", "\t", `"`, "'", "`", "/*", "*/", "//", "#", "--", "<!--", "-->", `"""`, "\\", "1", "é", "<", "</", "@@", "+", "-", "$ ", "\xff"}
	rapid.Check(t, func(t *rapid.T) {
		c := newHighlighter(rapid.SampledFrom(languages).Draw(t, "language"))
		for _, line := range rapid.SliceOf(rapid.SliceOf(rapid.SampledFrom(pieces))).Draw(t, "lines") {
			var b strings.Builder
			c.Line(strings.Join(line, ""), func(text string, _ codeKind) { b.WriteString(text) })
			if b.String() != strings.Join(line, "") {
				t.Errorf("%q became %q", line, b.String())
			}
		}
	})
}

func FuzzCode(f *testing.F) {
	f.Add("go", "x := `a // \"b\" /* 1")
	f.Add("html", "<a b=\"c\"><!-- d")
	f.Fuzz(func(t *testing.T, about, code string) {
		c := newHighlighter(about)
		for _, line := range strings.Split(code, "\n") {
			var b strings.Builder
			c.Line(line, func(text string, _ codeKind) { b.WriteString(text) })
			if b.String() != line {
				t.Errorf("%q became %q", line, b.String())
			}
		}
	})
}

func TestColumns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		need, word []int
		avail      int
		want       []int
	}{
		{"all fit", []int{5, 10}, []int{5, 5}, 15, []int{5, 10}},
		{"the widest gives way", []int{5, 50, 20}, []int{5, 5, 5}, 45, []int{5, 20, 20}},
		{"no word is broken", []int{5, 50, 20}, []int{5, 12, 20}, 40, []int{5, 15, 20}},
		{"words are broken", []int{30, 30}, []int{30, 30}, 40, []int{20, 20}},
		{"narrow ones stay", []int{2, 30, 30}, []int{2, 30, 30}, 20, []int{2, 9, 9}},
		{"too narrow", []int{30, 30}, []int{30, 30}, 11, nil},
		{"nothing there", []int{3}, []int{3}, 0, nil},
		{"exactly the least", []int{30, 30}, []int{30, 30}, 12, []int{6, 6}},
	} {
		got := columnWidths(c.need, c.word, c.avail, 6)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
