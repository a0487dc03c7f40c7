package engine

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"ken/internal/review"
)

// Two texts are the same if nothing but the form of Unicode and the spaces
// differ. They are near if nothing but letter case differs, or if at least
// nearTen tenths of all their words stand in both: one word in seven of a
// sentence may be another, which is how a fact that changed is stated again.
const nearTen = 7

// squeezed is the form in which two texts that are the same are equal.
func squeezed(text string) string {
	if !ascii(text) {
		text = norm.NFC.String(text)
	}
	return strings.Join(strings.Fields(text), " ")
}

// folded is squeezed, without regard to letter case and to letters that look
// alike, such as full-width ones: as the review queue compares texts.
func folded(text string) string {
	if ascii(text) { // the same, and many times as fast
		return strings.Join(strings.Fields(strings.ToLower(text)), " ")
	}
	return review.Normal(text)
}

// ascii reports whether text is ASCII.
func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// wordsOf is the set of words of a folded text, sorted. A text in a script
// without spaces counts by its pairs of neighbouring characters.
func wordsOf(folded string) []string {
	var words []string
	for _, run := range strings.FieldsFunc(folded, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M, unicode.S) }) {
		if ascii(run) || !strings.ContainsFunc(run, unspaced) {
			words = append(words, run)
			continue
		}
		chars := []rune(run)
		for i := range chars {
			words = append(words, string(chars[i:min(i+2, len(chars))]))
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// unspaced reports whether r is of a script that is written without spaces.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// A Reading is a text, read once to be compared with many.
type Reading struct {
	squeezed, folded string
	words            []string
}

// ReadText reads a text, to be compared with others.
func ReadText(text string) Reading {
	r := Reading{squeezed: squeezed(text), folded: folded(text)}
	r.words = wordsOf(r.folded)
	return r
}

// Same reports whether both say the same.
func (r Reading) Same(o Reading) bool { return r.squeezed == o.squeezed }

// Nearness is the share of words that both have, in tenths and more finely; 1 if
// nothing but letter case differs.
func (r Reading) Nearness(o Reading) float64 {
	if r.folded == o.folded {
		return 1
	}
	both := common(r.words, o.words)
	if all := len(r.words) + len(o.words) - both; all > 0 {
		return float64(both) / float64(all)
	}
	return 0
}

// IsNear reports whether both say nearly the same, whichever of them comes first.
func (r Reading) IsNear(o Reading) bool {
	if r.folded == o.folded {
		return true
	}
	both := common(r.words, o.words)
	return both > 0 && 10*both >= nearTen*(len(r.words)+len(o.words)-both)
}

// common counts the words that two sorted sets share.
func common(a, b []string) int {
	n := 0
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			n++
			a, b = a[1:], b[1:]
		}
	}
	return n
}

// A sketch of a text is 56 bits, one of which each of its words sets, and below
// them the number of its words. It tells without the text that two texts are not
// near: n words of the one that the other has not set at most n bits that
// differ.
const (
	sketchBits  = 56
	sketchMany  = 255 // so many words or more
	sketchShift = 8
)

// Sketch gives the sketch of a text, for a log to keep beside it. A log that was
// written with another Sketch has to read its texts again.
func Sketch(text string) uint64 { return sketchOf(wordsOf(folded(text))) }

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

// Two texts of at most rivalWords words may be rivals if rivalBits bits of their
// sketches differ at most: what stands in a hole of one and not in the other, and
// what carries nothing.
const (
	rivalWords = 30
	rivalBits  = 6
)

// A SketchFilter knows what is near one sketch, or a rival. It lets through every text
// that is near the one it was made for; it may let others through.
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
		// Rivals are short, and share a fifth of their words or more; of a few words
		// two may differ, also by an ending.
		if n <= rivalWords && m <= rivalWords {
			differ = max(differ, min(n+m-2, 4), min(n+m-2*((n+m+4)/5), rivalBits))
		}
		f.differ[m] = int8(min(differ, sketchBits))
	}
	return f
}

// Passes reports whether a text with the sketch may be near the one of the filter,
// or the same. Texts that are never make it false.
func (f *SketchFilter) Passes(sketch uint64) bool {
	return bits.OnesCount64(sketch>>sketchShift^f.bits) <= int(f.differ[sketch&sketchMany])
}

// pick appends the places of the sketches that pass.
func (f *SketchFilter) pick(sketches []uint64, passed []int) []int {
	for i, s := range sketches {
		if f.Passes(s) {
			passed = append(passed, i)
		}
	}
	return passed
}

// Sketch gives the sketch of the text that was read.
func (r Reading) Sketch() uint64 { return sketchOf(r.words) }
