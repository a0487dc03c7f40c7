package extract

import (
	"ken/internal/conflict"
	"ken/internal/text"
)

// nearlySame is the share of words that two texts share at least to say the same.
const nearlySame = 0.75

// Fresh returns the candidates that say what none of the known texts says, in these or
// nearly these words, nor a candidate before them. What contradicts a known text is
// fresh: it may be what has changed.
func Fresh(list []Candidate, known []string) []Candidate {
	all := make([]reading, 0, len(known)+len(list))
	for _, k := range known {
		all = append(all, read(k))
	}
	var fresh []Candidate
	for _, c := range list {
		t := read(c.Content)
		says := false
		for _, k := range all {
			if says = t.says(k); says {
				break
			}
		}
		if !says {
			fresh, all = append(fresh, c), append(all, t)
		}
	}
	return fresh
}

// A reading is a text as it is compared.
type reading struct {
	raw    string
	words  []string // those that carry meaning; all if none does
	denied int
}

func read(s string) reading {
	t := reading{raw: s}
	kept := ""
	for _, w := range text.WordsInOrder(s) {
		switch {
		case statements().denials[w]:
			t.denied++
		case !statements().frames[w]:
			kept += " " + text.Stem(w)
		}
	}
	if t.words = text.Words(kept); len(t.words) == 0 {
		t.words = text.Words(s)
	}
	return t
}

// says reports whether t says nothing that k does not say.
func (t reading) says(k reading) bool {
	if t.denied%2 != k.denied%2 {
		return false
	}
	share, within := text.Similarity(t.words, k.words)
	if share < nearlySame && (!within || len(t.words) > len(k.words)) {
		return false
	}
	v, _ := conflict.Compare(t.raw, k.raw)
	return v != conflict.Contradicts
}
