package jsonl_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"ken/internal/jsonl"
)

// fieldsOf are the names and values of a line; ok is false if it is no object.
func fieldsOf(line []byte) (fields [][2]string, ok bool) {
	for f, err := range jsonl.Object(line) {
		if err != nil {
			return nil, false
		}
		fields = append(fields, [2]string{string(f.Name), string(f.Value)})
	}
	return fields, true
}

// checkShorten checks that a shortened line says what the whole one does.
func checkShorten(t *testing.T, line []byte, most int) {
	t.Helper()
	short, err := jsonl.Shorten(iotest.OneByteReader(bytes.NewReader(line)), most)
	if err != nil {
		t.Fatal(err)
	}
	if quick, err := jsonl.Shorten(bytes.NewReader(line), most); err != nil || !bytes.Equal(quick, short) {
		t.Fatalf("%q: shortened to %q, in pieces to %q, %v", line, quick, short, err)
	}
	want, ok := fieldsOf(line)
	got, gotOK := fieldsOf(short)
	if ok != gotOK || len(want) != len(got) {
		t.Fatalf("%q is an object: %v; shortened to %q: %v", line, ok, short, gotOK)
	}
	for i := range want {
		if jsonl.Value(want[i][1]).Type() != jsonl.Value(got[i][1]).Type() || len(want[i][1]) <= most && want[i][1] != got[i][1] {
			t.Errorf("%q: field %q has %s, shortened %s", line, want[i][0], want[i][1], got[i][1])
		}
		if len(want[i][0]) <= most/6 && want[i][0] != got[i][0] { // an escape is six bytes
			t.Errorf("%q: name %q, shortened %q", line, want[i][0], got[i][0])
		}
	}
}

// FuzzShorten: a line with its strings cut is an object if the whole one is, with the same names and types.
func FuzzShorten(f *testing.F) {
	for _, line := range []string{
		"", "{", `{}`, `{"a":"b"}`, `{"role":"user","content":"` + strings.Repeat("long ", 50) + `","n":7}`,
		`{"content":"` + strings.Repeat(`\n\u00e4\"`, 30) + `","n":7}`, `{"content":"` + strings.Repeat(`x`, 50) + `\x"}`,
		`{"content":"` + strings.Repeat(`x`, 50) + `\u12`, `{"content":"` + strings.Repeat(`x`, 50) + `\`, `{"content":"` + strings.Repeat("x", 50) + "\x01\"}",
		`{"a":{"b":["` + strings.Repeat("c", 40) + `",1,true]},"` + strings.Repeat("name", 20) + `":null} `, `{"a":"b"}"c"`, "\xff\"\\",
	} {
		f.Add([]byte(line), 8)
		f.Add([]byte(line), 40)
	}
	f.Fuzz(func(t *testing.T, line []byte, most int) {
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
		}
		checkShorten(t, line, max(min(most, 1<<10), 1))
	})
}

// TestShortenBounded: what is held of a line does not grow with its strings.
func TestShortenBounded(t *testing.T) {
	t.Parallel()
	held := func(n int) int {
		line := `{"role":"user","content":"` + strings.Repeat(`text \"and\"\n`, n) + `","n":12}`
		short, err := jsonl.Shorten(strings.NewReader(line), 100)
		if err != nil {
			t.Fatal(err)
		}
		if fields, ok := fieldsOf(short); !ok || fields[2] != [2]string{"n", "12"} {
			t.Fatalf("%q", short)
		}
		return len(short)
	}
	if short, long := held(100), held(1<<18); long != short {
		t.Errorf("%d bytes of a short line, %d of a long one", short, long)
	}
}

// TestLawLinesBack: the lines from the last on are those from the first on.
func TestLawLinesBack(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var text strings.Builder
		for range r.IntN(12) {
			n := r.IntN(8)
			switch r.IntN(6) {
			case 0:
				n = r.IntN(20_000)
			case 1:
				n = 0
			}
			text.WriteString(strings.Repeat("x", n) + strings.Repeat("\n", r.IntN(3)))
		}
		limit := []int{1, 7, 100, 5000, 1 << 16}[r.IntN(5)]
		show := func(l jsonl.Line) string { return fmt.Sprint(l.Offset, l.Len, l.Ended, l.Bytes == nil, string(l.Bytes)) }
		var want, got []string
		for l, err := range jsonl.Lines(strings.NewReader(text.String()), limit) {
			if err != nil {
				t.Fatal(err)
			}
			if l.Len == 0 {
				l.Bytes = []byte{}
			}
			want = append(want, show(l))
		}
		for l, err := range jsonl.LinesBack(strings.NewReader(text.String()), int64(text.Len()), limit) {
			if err != nil {
				t.Fatal(err)
			}
			if l.Len == 0 {
				l.Bytes = []byte{}
			}
			got = append(got, show(l))
		}
		slices.Reverse(got)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("limit %d, %q: (-forwards +backwards)\n%s", limit, text.String(), d)
		}
	}
	for l, err := range jsonl.LinesBack(strings.NewReader("short"), 9, 100) {
		if err == nil {
			t.Errorf("of a file that was cut off meanwhile: %+v", l)
		}
	}
}
