package termsafe

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"plain", "plain"},
		{"a\nb", "a b"},
		{"a\n\n\t b", "a b"},
		{"a  b", "a  b"},
		{" a ", " a "},
		{"\na\n", "a"},
		{"\t\n", ""},
		{"a \n", "a"},
		{"a\r\nb\rc", "a b c"},
		{"a\x1b[2J\u202eb\nc", "ab c"},
		{"é\n日本", "é 日本"},
	} {
		if got := Line(c.in); got != c.want {
			t.Errorf("Line(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// An approval shows what would run: nothing is removed, nothing hides.
func TestVisible(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"ls -l 'a b' é 日本 😀", "ls -l 'a b' é 日本 😀"},
		{"a\nb", "a\nb"},
		{"a\tb\rc", `a\tb\rc`},
		{"\x1b[2J\x00\x7f\b", `\x1b[2J\x00\x7f\x08`},
		{"rm\u202e x\u200b", "rm‹U+202E› x‹U+200B›"},
		{"a\u00a0b\u3000c", "a‹U+00A0›b‹U+3000›c"},
		{"\u009b\u0085", "‹U+009B›‹U+0085›"},
		{"\xff\xc3(", `\xff\xc3(`},
		{"👩\u200d💻 ❤\ufe0f", "👩‹U+200D›💻 ❤‹U+FE0F›"},
		{"\U000e0041\u2028\ufeff", "‹U+E0041›‹U+2028›‹U+FEFF›"},
		{`literal \x1b`, `literal \x1b`},
		{"\ufffd", "\ufffd"},
	} {
		got := Visible(c.in)
		if got != c.want {
			t.Errorf("Visible(%q) = %q, want %q", c.in, got, c.want)
		}
		if Clean(got) != got {
			t.Errorf("Visible(%q) = %q is not clean", c.in, got)
		}
	}
}

func FuzzVisible(f *testing.F) {
	for _, h := range hostiles() {
		f.Add(h.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v := Visible(s)
		if Clean(v) != v {
			t.Errorf("Visible(%q) = %q is not clean", s, v)
		}
		if len(v) < len(s) {
			t.Errorf("Visible(%q) = %q is shorter", s, v)
		}
		if l := Line(s); Clean(l) != l || strings.ContainsAny(l, "\n\t") || Line(l) != l {
			t.Errorf("Line(%q) = %q", s, l)
		}
	})
}

func TestCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in    string
		cells int
		want  string
	}{
		{"hello", 5, "hello"},
		{"hello", 4, "hel…"},
		{"hello", 1, "…"},
		{"hello", 0, ""},
		{"hello", -1, ""},
		{"", 3, ""},
		{"日本語", 6, "日本語"},
		{"日本語", 5, "日本…"},
		{"日本語", 4, "日…"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
		{"👩\u200d💻ab", 3, "👩\u200d💻…"},
	} {
		got := Cut(c.in, c.cells)
		if got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.in, c.cells, got, c.want)
		}
		if c.cells > 0 && Width(got) > c.cells {
			t.Errorf("Cut(%q, %d) takes %d cells", c.in, c.cells, Width(got))
		}
	}
	if got := Width("日本 e\u0301"); got != 6 {
		t.Errorf("Width = %d", got)
	}
}

// --json on a terminal: the same data, and nothing that does anything to it.
func TestJSONSafe(t *testing.T) {
	t.Parallel()
	var all []string
	for _, h := range hostiles() {
		all = append(all, h.in)
	}
	all = append(all, benign()...)
	b, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	var raw bytes.Buffer // as an encoder writes it that escapes less
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(all); err != nil {
		t.Fatal(err)
	}
	for _, in := range [][]byte{b, raw.Bytes(), []byte("[\"\x7f\u009b2J\u202e\U000e0041\xff\"]"), []byte("{\r\n\t\"a\" : 1 }")} {
		out := JSONSafe(in)
		checkJSON(t, in, out)
	}
	if in := []byte(`{"a":"plain é"}`); &JSONSafe(in)[0] != &in[0] {
		t.Error("a copy is made of what needs none")
	}
	if got := string(AppendJSONSafe([]byte("x"), []byte("\"\u202e\U000e0041\"\r\n"))); got != `x"\u202e\udb40\udc41"`+"\n\n" {
		t.Errorf("AppendJSONSafe: %q", got)
	}
}

func checkJSON(t *testing.T, in, out []byte) {
	t.Helper()
	if got := Clean(string(out)); got != string(out) || !utf8.Valid(out) {
		t.Errorf("JSONSafe(%q) = %q is not clean", in, out)
	}
	var want, got any
	if json.Unmarshal(in, &want) != nil {
		return
	}
	if err := json.Unmarshal(out, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("JSONSafe(%q) = %q is other data (%v)", in, out, err)
	}
}

func FuzzJSONSafe(f *testing.F) {
	for _, h := range hostiles() {
		b, _ := json.Marshal(h.in)
		f.Add(b)
		f.Add([]byte(`"` + h.in + `"`))
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkJSON(t, b, JSONSafe(b)) })
}

func TestWriter(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	w := NewWriter(&b)
	for _, s := range []string{"a\x1b]0;ti", "tle\x07b", "\xe2\x82", "\xac", "\x1b]0;open"} {
		if n, err := io.WriteString(w, s); n != len(s) || err != nil {
			t.Errorf("WriteString(%q) = %d, %v", s, n, err)
		}
	}
	if n, err := w.Write([]byte("ed")); n != 2 || err != nil {
		t.Errorf("Write = %d, %v", n, err)
	}
	if b.String() != "ab€" {
		t.Errorf("before Flush: %q", b.String())
	}
	if err := w.Flush(); err != nil || b.String() != "ab€" {
		t.Errorf("after Flush: %q, %v", b.String(), err)
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestWriterErrors(t *testing.T) {
	t.Parallel()
	w := NewWriter(brokenWriter{})
	if n, err := w.Write([]byte("x")); n != 0 || !errors.Is(err, errBroken) {
		t.Errorf("Write = %d, %v", n, err)
	}
	if n, err := w.WriteString("x"); n != 0 || !errors.Is(err, errBroken) {
		t.Errorf("WriteString = %d, %v", n, err)
	}
	if n, err := w.Write([]byte("\x1b]0\nx")); n != 5 || err != nil {
		t.Errorf("Write of what is held = %d, %v", n, err)
	}
	if err := w.Flush(); !errors.Is(err, errBroken) {
		t.Errorf("Flush = %v", err)
	}
}
