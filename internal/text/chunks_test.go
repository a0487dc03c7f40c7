package text

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// sameChunks checks that a text is cut as its tokens say.
func sameChunks(t interface{ Errorf(string, ...any) }, s string) {
	if !ASCII(s) {
		return // cut so anyway
	}
	var want, got []string
	tokens(s, func(chunk string) { want = append(want, chunk) })
	Chunks(s, func(chunk string) { got = append(got, chunk) })
	if !slices.Equal(got, want) {
		t.Errorf("%q is cut into %q, want %q", s, got, want)
	}
}

// TestChunksOfASCII: that plain words are cut without a look at the rules of Unicode changes no chunk.
func TestChunksOfASCII(t *testing.T) {
	t.Parallel()
	for a := range byte(0x80) {
		for b := range byte(0x80) {
			sameChunks(t, string([]byte{a, b}))
			sameChunks(t, "x"+string([]byte{a, b})+"y")
			sameChunks(t, "1"+string([]byte{a, b})+"2 .")
		}
	}
	part := rapid.OneOf(
		rapid.SampledFrom(strings.Split("tea 3 3.14 v2 it's a/b C++ ... -- @me e.g. x_y \r\n \n \t \v \f : ! ?! , ; ' \x00 \x1c", " ")),
		rapid.StringMatching(`[ -~]{0,3}`), rapid.SampledFrom([]string{" ", " ", ". ", ", "}),
	)
	rapid.Check(t, func(r *rapid.T) {
		sameChunks(r, strings.Join(rapid.SliceOfN(part, 0, 12).Draw(r, "text"), ""))
	})
}

// FuzzChunksOfASCII is TestChunksOfASCII for any text.
func FuzzChunksOfASCII(f *testing.F) {
	f.Add("tea, 3.14 it's a/b. C++ x_y:\r\nend")
	f.Fuzz(func(t *testing.T, s string) { sameChunks(t, s) })
}
