package text

import (
	"slices"
	"unicode"
)

// Words returns the different words of a text, normalised and sorted: runs of letters
// and digits, and each character of a Dense script.
func Words(text string) []string {
	n := Normal(text)
	var words []string
	from := -1
	end := func(i int) {
		if from >= 0 {
			words = append(words, n[from:i])
			from = -1
		}
	}
	for i, r := range n {
		switch letter := unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r); {
		case !letter:
			end(i)
		case Dense(r):
			end(i)
			words = append(words, string(r))
		case from < 0:
			from = i
		}
	}
	end(len(n))
	slices.Sort(words)
	return slices.Compact(words)
}

// Shared returns the number of words two sorted lists of different words both have.
func Shared(a, b []string) int {
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			both++
			i++
			j++
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return both
}

// Similarity returns how much of the words of two texts they share, from 0 to 1: those
// of both by those of either (Jaccard's index). within says that the words of the
// one with fewer are all in the other.
func Similarity(a, b []string) (share float64, within bool) {
	both := Shared(a, b)
	if both == 0 {
		return 0, false
	}
	return float64(both) / float64(len(a)+len(b)-both), both == min(len(a), len(b))
}
