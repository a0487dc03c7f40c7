package jsonl_test

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"ken/internal/jsonl"
)

// checkObjectIn checks that a line that is read in parts says what the whole one does.
func checkObjectIn(t *testing.T, line []byte, most int) {
	t.Helper()
	type field struct{ name, value string }
	read := func(of iter.Seq2[jsonl.Field, error]) (fields []field, end string) {
		for f, err := range of {
			if err != nil {
				return nil, err.Error()
			}
			fields = append(fields, field{string(f.Name), string(f.Value)})
		}
		return fields, ""
	}
	want, wantEnd := read(jsonl.Object(line))
	whole := func() io.Reader { return bytes.NewReader(line) }
	for _, r := range []io.Reader{whole(), iotest.OneByteReader(whole()), iotest.DataErrReader(iotest.HalfReader(whole()))} {
		got, end := read(jsonl.ObjectIn(r, most))
		if end != wantEnd || len(got) != len(want) {
			t.Fatalf("%.200q: %d fields, %q; in parts %d, %q", line, len(want), wantEnd, len(got), end)
		}
		for i, w := range want {
			g := got[i]
			switch kind := jsonl.Value(w.value).Type(); {
			case len(w.value) <= most:
				if g.value != w.value {
					t.Errorf("%.200q: field %q has %s, in parts %s", line, w.name, w.value, g.value)
				}
			case g.value != map[string]string{"number": "0", "string": `""`, "array": "[]", "object": "{}"}[kind]:
				t.Errorf("%.200q: field %q is a long %s, in parts %s", line, w.name, kind, g.value)
			}
			if g.name != w.name && g.name != "" || len(w.name) < most/6 && g.name != w.name { // an escape is six bytes
				t.Errorf("%.200q: name %q, in parts %q", line, w.name, g.name)
			}
		}
	}
}

// FuzzObjectIn: a line that is read in parts has the fields of the whole one, or its error.
func FuzzObjectIn(f *testing.F) {
	for _, line := range []string{
		"", "{", `{}`, ` {"a" : "b" } `,
		`{"role":"user","content":"` + strings.Repeat("long ", 50) + `","n":7}`,
		`{"a":1}x`, `{"a":tru}`, `{"a":-1.5e+7,"b":0}`,
		`{"content":"` + strings.Repeat(`\n\u00e4\"`, 30) + `","n":7}`, `{"content":"` + strings.Repeat(`x`, 50) + `\x"}`,
		`{"n":` + strings.Repeat("7", 90) + `}`,
		`{"content":"` + strings.Repeat(`x`, 50) + `\u12`, `{"content":"` + strings.Repeat(`x`, 50) + `\`,
		`{"content":"` + strings.Repeat("x", 50) + "\x01\"}",
		`{"a":{"b":["` + strings.Repeat("c", 40) + `",1,true]},"` + strings.Repeat("name", 20) + `":null} `, `{"a":"b"}"c"`, "\xff\"\\",
	} {
		f.Add([]byte(line), 8)
		f.Add([]byte(line), 40)
	}
	f.Fuzz(func(t *testing.T, line []byte, most int) { checkObjectIn(t, line, max(min(most, 1<<10), 2)) })
}

// TestObjectInWindow: what is longer than what is read at once is cut where it is too long, and nowhere else.
func TestObjectInWindow(t *testing.T) {
	t.Parallel()
	for n := range 40 {
		long := strings.Repeat(`\u00e4\\x`, 9000)
		for _, line := range []string{
			`{"pad":"` + strings.Repeat("p", 33_000-n) + `","role":"user","a":{"b":[true,-12.5e3,"` + long + `"]},"n":12}`,
			`{` + strings.Repeat(`"a":[1,null,{"b":"c"}],`, 3000+n) + `"z":` + strings.Repeat(" ", 70_000) + `"` + long + `"} `,
			`{"a":"` + long + `\`, `{"a":"` + long + `","b":fal`, `{"` + long + `":1,"role":"user"}`,
		} {
			checkObjectIn(t, []byte(line), 1000)
		}
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
		show := func(l jsonl.Line) string {
			return fmt.Sprint(l.Offset, l.Len, l.Ended, l.Bytes == nil, string(l.Bytes))
		}
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
