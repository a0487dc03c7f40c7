package question

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseLast(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		want lastLine
		err  string
	}{
		{"ken-shell 1\nexit 2\ndir /a b\nline\n  501  make  test\n", lastLine{Text: "make  test", Exit: 2, Dir: "/a b"}, ""},
		{"ken-shell 1\nexit 0\nline\n  7* edited\n", lastLine{Text: "edited"}, ""},
		{"ken-shell 1\nexit 0\nline\nfor a in b\ndo c; done\n", lastLine{Text: "for a in b\ndo c; done"}, ""},
		{"ken-shell 1\nexit 0\nline\n3 + 4\n", lastLine{Text: "3 + 4"}, ""},
		{"ken-shell 1\nexit 0\ndir /\nhidden\n", lastLine{Dir: "/", Hidden: true}, ""},
		{"ken-shell 1\nexit 0\nhidden\nline\nsecret\n", lastLine{Hidden: true}, ""},
		{"ken-shell 1\nexit 1\nnew thing\nline\nx\n", lastLine{Text: "x", Exit: 1}, ""},
		{"ken-shell 2\nexit 1\n", lastLine{}, "first line"},
		{"", lastLine{}, "first line"},
		{"ken-shell 1\n", lastLine{}, "how the line ended"},
		{"ken-shell 1\nexit x\n", lastLine{}, "exit code"},
	} {
		got, err := parseLast([]byte(c.in))
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: %v, want %q", c.in, err, c.err)
			}
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%q: %v (-want +got)\n%s", c.in, err, diff)
		}
	}
}

func TestBetween(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ screen, command, want string }{
		{"$ make\nbad\nworse\n$ ken ask --last\n\n\n", "make", "bad\nworse"},
		{"$ make\nold\n$ make\nnew\n$ ken ask", "make", "new"},
		{"$ true\n$ ken ask", "true", ""},
		{"$ for a in b\n> do c; done\nout\n$ ken", "for a in b\ndo c; done", "out"},
		{"$ make\n" + strings.Repeat("x\n", maxOutput) + "end\n$ ken", "make", "[... the beginning was left out ...]\n" + strings.Repeat("x\n", (maxOutput-4)/2) + "end"},
	} {
		if got, ok := between(c.screen, c.command); got != c.want || !ok {
			t.Errorf("%.60q: %.80q %t, want %.80q", c.screen, got, ok, c.want)
		}
	}
	if got, ok := between("$ other\nout\n$ ken", "make"); ok {
		t.Errorf("found %q", got)
	}
}

// FuzzLast: no file and no screen breaks what reads them, and a hidden line is not told.
func FuzzLast(f *testing.F) {
	f.Add([]byte("ken-shell 1\nexit 2\ndir /a\nline\n  501  make\n"), "$ make\nout\n$ ken")
	f.Add([]byte("ken-shell 1\nexit 2\nhidden\n"), "")
	f.Fuzz(func(t *testing.T, file []byte, screen string) {
		l, err := parseLast(file)
		if err != nil {
			return
		}
		if l.Hidden && l.Text != "" {
			t.Fatalf("a hidden line says %q", l.Text)
		}
		if text, _ := between(screen, l.Text); len(text) > maxOutput+100 {
			t.Fatalf("%d bytes", len(text))
		}
	})
}
