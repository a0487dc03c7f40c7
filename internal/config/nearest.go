package config

import (
	"maps"
	"slices"
	"strings"
)

// meantKey suggests what part i of key may have been: a near word in the same
// table, else the same word in another one.
func (r *reader) meantKey(key []part, i int) string {
	table := ""
	if i > 0 {
		table = path(key[:i]) + "."
	}
	known := slices.Sorted(maps.Keys(r.fields))
	known = append(known, slices.Sorted(maps.Keys(r.tables))...)
	var here, elsewhere []string
	for _, k := range known {
		rest, ok := strings.CutPrefix(k, table)
		if ok && !strings.Contains(rest, ".") {
			here = append(here, rest)
		}
		if k[strings.LastIndexByte(k, '.')+1:] == key[len(key)-1].name {
			elsewhere = append(elsewhere, k)
		}
	}
	if word := nearest(key[i].name, here); word != "" {
		return didYouMean(table + word)
	}
	if len(elsewhere) > 0 {
		return didYouMean(elsewhere[0])
	}
	return ""
}

// meant suggests the word nearest to s; "" if none is near.
func meant(s string, words []string) string {
	if word := nearest(s, words); word != "" {
		return didYouMean(word)
	}
	return ""
}

func didYouMean(word string) string { return " (did you mean " + word + "?)" }

// nearest gives the word that takes the fewest edits to make from s, at most a
// third of its length and three; of several the first; "" if none is so near.
func nearest(s string, words []string) string {
	best, fewest := "", 4
	for _, w := range words {
		if d := distance(s, w); d < fewest && d <= max(1, len(w)/3) {
			best, fewest = w, d
		}
	}
	return best
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
