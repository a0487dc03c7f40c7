package tokens

import (
	"math"
	"unicode/utf8"
)

// Estimate returns the number of tokens s is likely to be. It is 0 only for "". Bytes
// that are no UTF-8 count as one character each.
func Estimate(s string) int {
	n, _ := scan(s, math.MaxInt64)
	return n
}

// Cut returns the longest beginning of s of at most most tokens that ends
// between two characters, and whether anything was left out. What it gives
// back is a part of s, not a copy. Less than 0 tokens are none.
func Cut(s string, most int) (string, bool) {
	// No byte counts two tokens, so this bound is never reached and keeps the
	// product below from overflowing.
	most = min(max(most, 0), 2*len(s))
	_, end := scan(s, int64(most)*one)
	return s[:end], end < len(s)
}

// scan adds up s and gives its tokens. It stops at the first character with
// which the sum is above limit, in the unit of costs, and gives where that
// character begins.
func scan(s string, limit int64) (tokens, end int) {
	var sum, floor int64 // an int of 32 bits overflows at 16 MB of text
	before := newline
	for i := 0; i < len(s); {
		cost, class, size := 0, 0, 1
		if c := s[i]; c < utf8.RuneSelf {
			class = int(classOf[c])
			cost = int(costOf[before*classes+class])
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			cost, class = wide(r, size)
		}
		if max(sum+int64(cost), floor+perRune) > limit {
			return up(max(sum, floor)), i
		}
		sum += int64(cost)
		floor += perRune
		before = class
		i += size
	}
	return up(max(sum, floor)), len(s)
}

// up turns the unit of costs into whole tokens, rounded up.
func up(cost int64) int { return int((cost + one - 1) / one) }
