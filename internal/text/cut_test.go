package text_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"ken/internal/text"
)

// TestCut: a text is cut to what was asked for, never inside a character, and by no more than one.
func TestCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		s              string
		most           int
		head, tail, in string
	}{
		{"", 0, "", "", ""},
		{"tea", 3, "tea", "tea", "tea"},
		{"tea", 2, "te", "ea", "te"},
		{"tea", 0, "", "", ""},
		{"tea", -1, "", "", ""},
		{"日本", 4, "日", "本", "日本"},
		{"日本", 2, "", "", "日本"},
		{"日本", 1, "", "", "日"},
	} {
		head, tail, in := text.CutBytes(c.s, c.most), text.LastBytes(c.s, c.most), text.CutRunes(c.s, c.most)
		if head != c.head || tail != c.tail || in != c.in {
			t.Errorf("%q, %d: %q, %q, %q", c.s, c.most, head, tail, in)
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		s, most := rapid.String().Draw(r, "text"), rapid.IntRange(-1, 40).Draw(r, "most")
		head, tail, in := text.CutBytes(s, most), text.LastBytes(s, most), text.CutRunes(s, most)
		if !strings.HasPrefix(s, head) || !strings.HasSuffix(s, tail) || !utf8.ValidString(head) || !utf8.ValidString(tail) {
			r.Errorf("%q, %q of %q", head, tail, s)
		}
		for _, part := range []string{head, tail} {
			if len(part) > max(most, 0) || len(part) < len(s) && len(part) < most-utf8.UTFMax+1 {
				r.Errorf("%q of %q: %d bytes, want %d", part, s, len(part), most)
			}
		}
		if want := []rune(s); in != string(want[:min(max(most, 0), len(want))]) {
			r.Errorf("%q of %q: want %d characters", in, s, most)
		}
	})
}
