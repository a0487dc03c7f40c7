package engine

import (
	"math/bits"

	"ken/internal/text"
)

// Two texts are the same if nothing but the form of Unicode and the spaces
// differ. They are near if nothing but letter case differs, or if at least
// nearTen tenths of all their words stand in both: one word in seven of a
// sentence may be another, which is how a fact that changed is stated again.
const nearTen = 7

// A Reading is a text that is read once and compared with many.
type Reading struct {
	composed, folded string
	words            []string
}

// ReadText reads a text to compare it with others.
func ReadText(said string) Reading {
	r := Reading{composed: text.Composed(said), folded: text.NormalForHash(said)}
	r.words = text.WordsForSketch(r.folded)
	return r
}

// Same reports whether both say the same.
func (r Reading) Same(o Reading) bool { return r.composed == o.composed }

// Nearness returns the share of words that both texts have, between 0 and 1. It returns 1 if
// nothing but letter case differs.
func (r Reading) Nearness(o Reading) float64 {
	if r.folded == o.folded {
		return 1
	}
	share, _ := text.Similarity(r.words, o.words)
	return share
}

// IsNear reports whether both texts say nearly the same. The order does not matter.
func (r Reading) IsNear(o Reading) bool {
	if r.folded == o.folded {
		return true
	}
	both := text.Shared(r.words, o.words)
	return both > 0 && 10*both >= nearTen*(len(r.words)+len(o.words)-both)
}

// A sketch of a text has 56 bits, and below them the number of its words. Each word sets one bit.
// Two sketches show without the texts that these are not near: n words that one text has and the
// other has not set at most n different bits.
const (
	sketchBits  = 56
	sketchMany  = 255 // so many words or more
	sketchShift = 8
)

// Sketch returns the sketch of a text.
func Sketch(said string) uint64 {
	return sketchOf(text.WordsForSketch(text.NormalForHash(said)))
}

func sketchOf(words []string) uint64 {
	var s uint64
	for _, w := range words {
		h := uint64(14695981039346656037) // FNV-1a
		for i := range len(w) {
			h = (h ^ uint64(w[i])) * 1099511628211
		}
		s |= 1 << (sketchShift + (h^h>>32)%sketchBits)
	}
	return s | uint64(min(len(words), sketchMany))
}

// Two texts of at most conflictWords words may conflict if conflictBits bits of their
// sketches differ at most: what stands in a hole of one and not in the other, and
// what carries nothing.
const (
	conflictWords = 30
	conflictBits  = 6
)

// A SketchFilter finds sketches that are near one sketch, or in conflict with it. It lets every
// near text through, and may let others through.
type SketchFilter struct {
	bits uint64
	// differ is how many bits may differ in the sketch of a text with so many
	// words; -1: no such text is near.
	differ [sketchMany + 1]int8
}

// NewSketchFilter makes the filter of a sketch.
func NewSketchFilter(sketch uint64) *SketchFilter {
	f := &SketchFilter{bits: sketch >> sketchShift}
	n := int(sketch & sketchMany)
	for m := range f.differ {
		// Texts that are near share at least both words.
		both := (nearTen*(n+m) + 9 + nearTen) / (10 + nearTen)
		differ := n + m - 2*both
		if n == sketchMany || m == sketchMany { // that many, or more
			differ = sketchBits
		}
		if 10*n < nearTen*m || 10*m < nearTen*n {
			differ = -1
		}
		// Conflicting texts are short, and share a fifth of their words or more; of a few words
		// two may differ, also by an ending.
		if n <= conflictWords && m <= conflictWords {
			differ = max(differ, min(n+m-2, 4), min(n+m-2*((n+m+4)/5), conflictBits))
		}
		f.differ[m] = int8(min(differ, sketchBits))
	}
	return f
}

// Passes reports whether a text with the sketch may be near the one of the filter,
// or the same. Texts that are never make it false.
func (f *SketchFilter) Passes(sketch uint64) bool {
	return !isMark(sketch) && bits.OnesCount64(sketch>>sketchShift^f.bits) <= int(f.differ[sketch&sketchMany])
}

// Sketch returns the sketch of the text that was read.
func (r Reading) Sketch() uint64 { return sketchOf(r.words) }
