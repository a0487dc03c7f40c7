package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// seen is what a test compares of a Line.
type seen struct {
	Number      int
	Offset, Len int64
	Text        string
	Long, Ended bool
}

// split collects the lines of r.
func split(t testing.TB, r io.Reader, limit int) (lines []seen, ends []Mark) {
	t.Helper()
	for l, err := range Lines(r, limit) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, seen{l.Number, l.Offset, l.Len, string(l.Bytes), l.Bytes == nil, l.Ended})
		ends = append(ends, l.End)
	}
	return lines, ends
}

func TestLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 200<<10)
	tests := []struct {
		name, in string
		want     []seen
	}{
		{"empty", "", nil},
		{"one line", "a\n", []seen{{1, 0, 1, "a", false, true}}},
		{"no final end", "a\nbc", []seen{{1, 0, 1, "a", false, true}, {2, 2, 2, "bc", false, false}}},
		{"blank lines", "\n\n", []seen{{1, 0, 0, "", false, true}, {2, 1, 0, "", false, true}}},
		{"carriage returns are content", "a\r\nb\rc\n", []seen{{1, 0, 2, "a\r", false, true}, {2, 3, 3, "b\rc", false, true}}},
		{"separators of Unicode are content", "a\u2028b\u0085\x0b\n", []seen{{1, 0, 8, "a\u2028b\u0085\x0b", false, true}}},
		{"NUL", "\x00\na\x00b\n", []seen{{1, 0, 1, "\x00", false, true}, {2, 2, 3, "a\x00b", false, true}}},
		{"byte order mark", "\ufeffa\n\ufeffb\n", []seen{{1, 0, 4, "a", false, true}, {2, 5, 4, "\ufeffb", false, true}}},
		{"nothing but a byte order mark", "\ufeff", []seen{{1, 0, 3, "", false, false}}},
		{"longer than a read", long + "\nb\n", []seen{{1, 0, 200 << 10, long, false, true}, {2, 200<<10 + 1, 1, "b", false, true}}},
		{"too long", long + "yy\nb\n", []seen{{1, 0, 200<<10 + 2, "", true, true}, {2, 200<<10 + 3, 1, "b", false, true}}},
		{"too long without an end", "a\n" + long + "y", []seen{{1, 0, 1, "a", false, true}, {2, 2, 200<<10 + 1, "", true, false}}},
	}
	for _, test := range tests {
		for name, r := range map[string]io.Reader{
			"whole": strings.NewReader(test.in),
			"bytes": iotest.OneByteReader(strings.NewReader(test.in)),
			"early": iotest.DataErrReader(strings.NewReader(test.in)),
		} {
			got, ends := split(t, r, len(long))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s, read %s (-want +got):\n%s", test.name, name, diff)
			}
			if n := len(ends); n > 0 && ends[n-1].Offset != int64(len(test.in)) {
				t.Errorf("%s, read %s: ends at %d of %d", test.name, name, ends[n-1].Offset, len(test.in))
			}
		}
	}
}

func TestLinesReadError(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	n, last := 0, error(nil)
	for l, err := range Lines(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 10) {
		n++
		last = err
		if err == nil && string(l.Bytes) != "a" {
			t.Errorf("line %q of a read that broke off", l.Bytes)
		}
	}
	if n != 2 || !errors.Is(last, broken) {
		t.Errorf("%d steps, the last with %v; want a line and the error", n, last)
	}
}

// TestLinesAreTheBytes says what lines are in another way, and that reading on
// from any of them gives the rest.
func TestLinesAreTheBytes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		checkLines(t, text, rapid.IntRange(0, 20).Draw(t, "limit"))
	})
}

// drawText draws bytes in which line ends and byte order marks are frequent.
func drawText(t *rapid.T) []byte {
	parts := rapid.SliceOf(rapid.OneOf(
		rapid.SampledFrom([]string{"\n", "\n\n", "\r\n", "\ufeff", "{}", "\x00"}),
		rapid.StringN(0, 12, 40),
	)).Draw(t, "parts")
	return []byte(strings.Join(parts, ""))
}

type fataler interface {
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

func checkLines(t fataler, text []byte, limit int) {
	want := bytes.Split(text, []byte("\n"))
	if len(want[len(want)-1]) == 0 {
		want = want[:len(want)-1]
	}
	n, offset := 0, int64(0)
	for l, err := range Lines(bytes.NewReader(text), limit) {
		if err != nil {
			t.Fatalf("%v", err)
		}
		if n >= len(want) {
			t.Fatalf("more than the %d lines there are", len(want))
		}
		w := want[n]
		n++
		if l.Number != n || l.Offset != offset || l.Len != int64(len(w)) || l.Ended != (offset+l.Len < int64(len(text))) {
			t.Errorf("line %d: %+v, want offset %d, length %d", n, l, offset, len(w))
		}
		if n == 1 {
			w = bytes.TrimPrefix(w, []byte("\ufeff"))
		}
		if l.Len > int64(limit) != (l.Bytes == nil) || l.Bytes != nil && !bytes.Equal(l.Bytes, w) {
			t.Errorf("line %d is %q with the limit %d, want %q", n, l.Bytes, limit, w)
		}
		offset = l.End.Offset
		checkMark(t, text, l.End)
	}
	if n != len(want) {
		t.Errorf("%d lines, want %d", n, len(want))
	}
}

// checkMark checks that m is in text, and that reading on from it gives what a
// read from the start gives.
func checkMark(t fataler, text []byte, m Mark) {
	r := bytes.NewReader(text)
	if ok, err := m.Holds(r); !ok || err != nil {
		t.Errorf("%+v is not in the text it was made from: %v", m, err)
	}
	var whole, rest []string
	for l, err := range Lines(bytes.NewReader(text), 1<<20) {
		if err == nil && l.Offset >= m.Offset {
			whole = append(whole, fmt.Sprintf("%+v %q", l.End, l.Bytes))
		}
	}
	for l, err := range LinesFrom(bytes.NewReader(text[m.Offset:]), m, 1<<20) {
		if err == nil {
			rest = append(rest, fmt.Sprintf("%+v %q", l.End, l.Bytes))
		}
	}
	if diff := cmp.Diff(whole, rest); diff != "" {
		t.Errorf("reading on from %v (-from the start +from there):\n%s", m, diff)
	}
}

func FuzzLines(f *testing.F) {
	for _, s := range []string{"", "a", "a\n", "\ufeffa\r\n\n\x00\n", strings.Repeat("x", 100) + "\n{}"} {
		f.Add([]byte(s), 10)
	}
	f.Fuzz(func(t *testing.T, text []byte, limit int) {
		if limit < 0 || len(text) > 4<<10 {
			return
		}
		checkLines(t, text, limit)
		parsed, err := ParseMark(string(text))
		if err == nil && parsed.String() != string(text) {
			t.Errorf("ParseMark(%q) gives %q", text, parsed)
		}
	})
}

// endless gives lines of one length for as long as it is asked.
type endless struct{ line, left int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), e.left))
	for i := range p[:n] {
		p[i] = 'x'
	}
	for i := e.left % e.line; i < int64(n); i += e.line {
		p[i] = '\n'
	}
	e.left -= int64(n)
	return n, nil
}

// TestF10LongFiles reads a gibibyte as one line, as lines that are too long and
// as ordinary ones, in bounded memory.
func TestF10LongFiles(t *testing.T) {
	size := int64(1 << 30)
	if testing.Short() || raceEnabled {
		size = 1 << 26
	}
	const limit = 1 << 20
	for _, line := range []int64{size, 64 << 20, 64 << 10} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n, end := int64(0), int64(0)
		for l, err := range Lines(&endless{line, size}, limit) {
			if err != nil {
				t.Fatal(err)
			}
			n++
			end = l.End.Offset
		}
		runtime.ReadMemStats(&after)
		if want := size / line; n < want || n > want+1 || end != size {
			t.Errorf("%d bytes in lines of %d: %d lines up to byte %d", size, line, n, end)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 8*limit {
			t.Errorf("%d bytes in lines of %d: %d bytes allocated", size, line, used)
		}
	}
}

func TestMark(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"0.0.0", "17.1.ff", "17.1.ff+", "9007199254740991.99999.ffffffffffffffff"} {
		m, err := ParseMark(s)
		if err != nil || m.String() != s {
			t.Errorf("ParseMark(%q) = %q, %v", s, m, err)
		}
	}
	for _, s := range []string{"", "0.0", "0.0.0.0", "-1.0.0", "0.-1.0", "0.0.x", "00.0.0", "0.0.F", "+1.0.0", "0.0.0 ", "0.0.0++", "1e3.0.0", "0.0.10000000000000000", "9223372036854775808.0.0"} {
		if m, err := ParseMark(s); err == nil {
			t.Errorf("ParseMark(%q) = %+v", s, m)
		}
	}
}

func TestMarkHolds(t *testing.T) {
	t.Parallel()
	text := "one\ntwo\nthree"
	_, ends := split(t, strings.NewReader(text), 100)
	tests := []struct {
		name, now string
		want      [3]bool // for the marks behind the three lines
	}{
		{"the same", text, [3]bool{true, true, true}},
		{"ended", text + "\n", [3]bool{true, true, true}},
		{"ended and more", text + "\nfour\n", [3]bool{true, true, true}},
		{"glued", text + "4\n", [3]bool{true, true, false}},
		{"first line edited", "oNe\ntwo\nthree", [3]bool{}},
		{"second line edited", "one\ntWo\nthree", [3]bool{true, false, false}},
		{"first line gone", "two\nthree", [3]bool{}},
		{"lines swapped", "two\none\nthree", [3]bool{}},
		{"cut", "one\ntwo\n", [3]bool{true, true, false}},
		{"cut in a line", "one\ntw", [3]bool{true, false, false}},
		{"empty", "", [3]bool{}},
	}
	for _, test := range tests {
		for i, m := range ends {
			got, err := m.Holds(strings.NewReader(test.now))
			if err != nil || got != test.want[i] {
				t.Errorf("%s: mark %d holds = %v, %v", test.name, i+1, got, err)
			}
		}
		if ok, err := (Mark{}).Holds(strings.NewReader(test.now)); !ok || err != nil {
			t.Errorf("%s: the start is not in it: %v", test.name, err)
		}
	}
	if _, err := ends[0].Holds(brokenReader{}); err == nil {
		t.Error("no error from a reader that fails")
	}
}

type brokenReader struct{}

func (brokenReader) ReadAt([]byte, int64) (int, error) { return 0, errors.New("broken") }

// TestMarkAdd compares what a writer reckons with what a reader finds.
func TestMarkAdd(t *testing.T) {
	t.Parallel()
	for _, before := range []string{"", "a\n", "a\nb"} {
		text := before
		var m Mark
		if _, ends := split(t, strings.NewReader(before), 10); len(ends) > 0 {
			m = ends[len(ends)-1]
		}
		if m.Open {
			text += "\n"
		}
		text += "c\n\nd\n"
		_, ends := split(t, strings.NewReader(text), 10)
		if diff := cmp.Diff(ends[len(ends)-1], m.Add([]byte("c\n\nd\n"))); diff != "" {
			t.Errorf("behind %q (-read +reckoned):\n%s", before, diff)
		}
	}
}
