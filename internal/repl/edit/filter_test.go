package edit

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// sieve is a filter that notes what comes out.
func sieve(limit int) (*filter, *[]string) {
	var out []string
	f := &filter{
		limit:  limit,
		known:  func(seq string) bool { return seq == "\x1b[A" || seq == "\x1bOA" || seq == "\x1b[1;5C" },
		keys:   func(b []byte) { out = append(out, fmt.Sprintf("%q", b)) },
		pasted: func(b []byte, size int) { out = append(out, fmt.Sprintf("paste %q of %d", b, size)) },
		cursor: func(b []byte) { out = append(out, fmt.Sprintf("cursor %q", b)) },
	}
	return f, &out
}

// TestFilter: keys, blocks and reports are distinguished, whatever they are cut
// into; what no key sends is dropped whole.
func TestFilter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"a\r", []string{`"a"`, `"\r"`}},
		{"\x00\x03\x7f", []string{`"\x00"`, `"\x03"`, `"\x7f"`}},
		{"é日", []string{`"é"`, `"日"`}},
		{"\x1b[A\x1bOA\x1b[1;5C", []string{`"\x1b[A"`, `"\x1bOA"`, `"\x1b[1;5C"`}},
		{"\x1bb\x1b\x7f", []string{`"\x1bb"`, `"\x1b\x7f"`}},
		{"\x1b\x1b[A", []string{`"\x1b"`, `"\x1b[A"`}},
		{"\x1bé", []string{`"\x1b"`, `"é"`}},
		{"a\x1b[15~\x1bOPb\x1b[?1;2cc", []string{`"a"`, `"b"`, `"c"`}}, // keys that do nothing, and an answer
		{"a\x1b]11;rgb:0/0/0\ab\x1b]10;x\x1b\\c\x1bP>|xterm\x1b\\d", []string{`"a"`, `"b"`, `"c"`, `"d"`}},
		{"\x1b]x\x1bPx", []string{`"\x1b]"`, `"x"`, `"\x1bP"`, `"x"`}}, // Alt with a key
		{"a\x1b[12;40Rb", []string{`"a"`, `cursor "\x1b[12;40R"`, `"b"`}},
		{"\x1b[R\x1b[1R\x1b[;R", nil},
		{"a\x1b[200~x\x1b[A\r\ny\x1b[201~b", []string{`"a"`, `paste "x\x1b[A\r\ny" of 7`, `"b"`}},
		{"\x1b[200~\x1b[20\x1b[201~", []string{`paste "\x1b[20" of 4`}},
		{"\x1b[200~\x1b[200~\x1b[201~", []string{`paste "\x1b[200~" of 6`}},
		{"\x1b[200~\x1b[201~", []string{`paste "" of 0`}},
		{"\x1b[200~1234567890\x1b[201~", []string{`paste "12345678" of 10`}},
		{"a\x1b[201~b", []string{`"a"`, `"b"`}},
		{"\x80\xffa\xc3b\xe2\x82c", []string{`"a"`, `"b"`, `"c"`}}, // halves of characters
		{"\u0085\U0010FFFEa", []string{`"a"`}},
		{"\x1b[1\x1b[A", []string{`"\x1b[A"`}},
		{"\x1b[1\ra", []string{`"a"`}},
	} {
		f, out := sieve(8)
		f.feed([]byte(c.in))
		if diff := cmp.Diff(c.want, *out); diff != "" || f.pending() {
			t.Errorf("%q: pending %v (-want +got):\n%s", c.in, f.pending(), diff)
		}
	}
}

// TestFilterFlush: what was begun and does not go on is a key as it is, or
// nothing; a block without its end is a block.
func TestFilterFlush(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"\x1b", []string{`"\x1b"`, `"z"`}},
		{"\x1b[", []string{`"\x1b["`, `"z"`}},
		{"\x1bO", []string{`"\x1bO"`, `"z"`}},
		{"\x1b]", []string{`"\x1b]"`, `"z"`}},
		{"\x1b]11;rgb", []string{`"z"`}},
		{"\xe2\x82", []string{`"z"`}},
		{"\x1b[200~ab", []string{`paste "ab" of 2`, `"z"`}},
	} {
		f, out := sieve(8)
		f.feed([]byte(c.in))
		if !f.pending() {
			t.Errorf("%q: nothing is waited for", c.in)
		}
		f.flush()
		f.feed([]byte("z"))
		if diff := cmp.Diff(c.want, *out); diff != "" || f.pending() {
			t.Errorf("%q: pending %v (-want +got):\n%s", c.in, f.pending(), diff)
		}
	}
}

// FuzzFilter: what comes out is whole characters without the one that rings, and
// text without controls comes out as it went in.
func FuzzFilter(f *testing.F) {
	for _, seed := range []string{"a", "é", "\x1b[A", "\x1b[200~a\x1b[201~", "\x1b[1;1R", "\x1b]1;\a", "\xff\x1b", "\U0010FFFE", "\x1b[200~\x1b[20", "\x1bO\xac", "\x1bO\x1bO"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var keys strings.Builder
		blocks := 0
		x := &filter{
			limit: 16, known: func(string) bool { return true }, cursor: func([]byte) {},
			keys:   func(b []byte) { keys.Write(b) },
			pasted: func(b []byte, size int) { blocks += size },
		}
		x.feed(in)
		if x.pending() {
			x.flush()
		}
		if x.pending() {
			t.Errorf("%q: it still waits", in)
		}
		if got := keys.String(); !utf8.ValidString(got) || strings.ContainsRune(got, bell) || len(got)+blocks > len(in) {
			t.Errorf("%q: keys %q", in, got)
		}
		plain := utf8.Valid(in)
		for _, r := range string(in) {
			plain = plain && r != 0x1b && r != bell && (r < 0x80 || r >= 0xa0) && r != utf8.RuneError
		}
		if plain && keys.String() != string(in) {
			t.Errorf("%q: keys %q", in, keys.String())
		}
	})
}
