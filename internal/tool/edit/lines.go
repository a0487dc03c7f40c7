package edit

import (
	"strings"
	"unicode"
)

// enough is how many letters and digits quoted lines must have, so that a brace and an
// empty line are not found by accident.
const enough = 12

// A rung compares whole lines.
type rung struct {
	how   How
	key   func(string) string // of two lines that count as equal it is equal
	extra string              // stands behind each line number, which is taken off; only of Numbered
}

func rungs() []rung {
	return []rung{
		{how: Trailing, key: trailing},
		{how: Numbered, key: trailing},
		{how: Numbered, key: trailing, extra: " "},
		{how: Indented, key: bare},
		{how: Plain, key: func(line string) string { return bare(plain(line)) }},
	}
}

func trailing(line string) string { return strings.TrimRight(line, " \t") }
func bare(line string) string     { return strings.Trim(line, " \t") }

// byLines is rung 2.
func byLines(b *body, w Want) (found, error) {
	quoted, now := withoutBlank(strings.Split(w.Old, "\n")), withoutBlank(strings.Split(w.New, "\n"))
	lines := b.lines()
	for _, r := range rungs() {
		q, m := quoted, now
		if r.how == Numbered {
			first, ok := 0, false
			if q, first, ok = numbersOff(quoted, r.extra); !ok {
				continue
			}
			if m, ok = newNumbersOff(now, q, quoted, first, r.extra); !ok {
				return found{}, &Refusal{Why: Numbers}
			}
			q, m = withoutBlank(q), withoutBlank(m)
		}
		if letters(q) < enough {
			continue
		}
		switch places := windows(keys(lines, r.key), keys(q, r.key)); {
		case len(places) == 1:
			p := place{b: b, at: places[0], quoted: q, now: m, rung: r}
			return p.found()
		case len(places) > 1:
			offsets := make([]int, len(places))
			for i, at := range places {
				offsets[i] = b.rows[at]
			}
			return found{}, b.ambiguous(offsets, 0)
		}
	}
	return found{}, nil
}

// withoutBlank are the lines but for blank ones at both ends.
func withoutBlank(lines []string) []string {
	for len(lines) > 0 && bare(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && bare(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func letters(lines []string) (n int) {
	for _, line := range lines {
		for _, r := range line {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				n++
			}
		}
	}
	return n
}

func keys(lines []string, key func(string) string) []string {
	all := make([]string, len(lines))
	for i, line := range lines {
		all[i] = key(line)
	}
	return all
}

// windows are the places in lines where quoted stands, those that overlap as well. It
// takes the same time whatever the lines are (Knuth, Morris, Pratt).
func windows(lines, quoted []string) (places []int) {
	if len(quoted) == 0 {
		return nil
	}
	back := make([]int, len(quoted)) // of each: how long the longest start of quoted is that ends there
	for i, n := 1, 0; i < len(quoted); i++ {
		for n > 0 && quoted[i] != quoted[n] {
			n = back[n-1]
		}
		if quoted[i] == quoted[n] {
			n++
		}
		back[i] = n
	}
	n := 0
	for i, line := range lines {
		for n > 0 && line != quoted[n] {
			n = back[n-1]
		}
		if line == quoted[n] {
			n++
		}
		if n == len(quoted) {
			places = append(places, i-n+1)
			n = back[n-1]
		}
	}
	return places
}

// plain is a text with plain quotes, dashes and spaces, each one character for one.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x80:
			return r
		case r >= '\u2018' && r <= '\u201b', r == '\u2032':
			return '\''
		case r >= '\u201c' && r <= '\u201f', r == '\u2033':
			return '"'
		case r >= '\u2010' && r <= '\u2015', r == '\u2212':
			return '-'
		case r == '\u00a0', r >= '\u2000' && r <= '\u200a', r == '\u202f', r == '\u205f', r == '\u3000':
			return ' '
		}
		return r
	}, text)
}
