package config

import (
	"slices"
	"strings"
)

// meantKey suggests what the last part of key may have been: a near word in
// the same table, or the same word in another one. Failing that, it lists what
// the table has, if that is little.
func (r *reader) meantKey(key []part, isTable bool) string {
	const enough = 100 // a file with so much wrong in it is another file
	if len(r.problems) > enough {
		return ""
	}
	table, word := path(key[:len(key)-1]), key[len(key)-1].name
	if table != "" {
		table += "."
	}
	var here, elsewhere []string
	look := func(k string) {
		rest, ok := strings.CutPrefix(k, table)
		if ok && !strings.Contains(rest, ".") && rest != word {
			here = append(here, rest)
		}
		if !ok && k[strings.LastIndexByte(k, '.')+1:] == word || table == "" && strings.HasSuffix(k, "."+word) {
			elsewhere = append(elsewhere, k)
		}
	}
	for k := range r.tables {
		look(k)
	}
	if !isTable {
		for k := range r.fields {
			look(k)
		}
	}
	slices.Sort(here)
	slices.Sort(elsewhere)
	if near := Nearest(word, here); near != "" {
		return didYouMean(table + near)
	}
	if len(elsewhere) > 0 {
		return didYouMean(elsewhere[0])
	}
	if few := 11; table != "" && len(here) > 0 && len(here) <= few {
		return ": there is " + strings.Join(here, ", ")
	}
	return ""
}

// meant suggests the word nearest to s; "" if none is near.
func meant(s string, words []string) string {
	if word := Nearest(s, words); word != "" {
		return didYouMean(word)
	}
	return ""
}

func didYouMean(word string) string { return " (did you mean " + word + "?)" }

// Nearest returns the word that takes the fewest edits to make from s, at most a
// third of its length and three; of several the first. If none is so near, it
// is the first word that s is the beginning of; "" if there is none either.
func Nearest(s string, words []string) string {
	if s == "" {
		return ""
	}
	best, fewest := "", 4
	for _, w := range words {
		if d := distance(s, w); d < fewest && d <= max(1, len(w)/3) {
			best, fewest = w, d
		}
	}
	if best != "" {
		return best
	}
	for _, w := range words {
		if strings.HasPrefix(w, s) {
			return w
		}
	}
	return ""
}

// distance counts the edits between a and b, an edit being one byte inserted,
// dropped, replaced or swapped with its neighbour; case is free. Lengths that
// differ by more than three are not looked at: they are far.
func distance(a, b string) int {
	const far = 4
	a, b = strings.ToLower(a), strings.ToLower(b)
	if len(a)-len(b) >= far || len(b)-len(a) >= far {
		return far
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range b {
		rows[0][j] = j
	}
	rows[0][len(b)] = len(b)
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}
