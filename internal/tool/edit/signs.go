package edit

import "unicode/utf8"

// signs is for which signs of the text a quoted quote, dash or space stands; utf8.RuneError
// where it is for several.
type signs map[rune]rune

// signs reads off the pairs of lines what each quoted sign stands for.
func (p *place) signs() signs {
	to := signs{}
	for i := range p.quoted {
		q, w := []rune(inner(p.quoted[i])), []rune(inner(p.was(i)))
		for k := range min(len(q), len(w)) {
			if !isSign(q[k]) {
				continue
			}
			if before, seen := to[q[k]]; seen && before != w[k] {
				to[q[k]] = utf8.RuneError
			} else if !seen {
				to[q[k]] = w[k]
			}
		}
	}
	return to
}

// isSign says that r is one that has a typographic form, or is one.
func isSign(r rune) bool {
	return r == '\'' || r == '"' || r == '-' || r == ' ' || plain(string(r)) != string(r)
}

// write is text with the signs of the text that is edited; ok is false if it has one that
// stands for several.
func (s signs) write(text string) (_ string, ok bool) {
	out := []rune(text)
	for i, r := range out {
		was, seen := s[r]
		if was == utf8.RuneError {
			return "", false
		}
		if seen {
			out[i] = was
		}
	}
	return string(out), true
}

// alike takes off now what it begins and ends with as quoted does, and returns what stands
// there in was, which is quoted sign for sign.
func alike(was, quoted, now string) (head, rest, tail string) {
	w, q, n := []rune(was), []rune(quoted), []rune(now)
	if len(w) != len(q) {
		return "", now, ""
	}
	from := 0
	for from < len(q) && from < len(n) && q[from] == n[from] {
		from++
	}
	to := 0
	for to < len(q)-from && to < len(n)-from && q[len(q)-1-to] == n[len(n)-1-to] {
		to++
	}
	return string(w[:from]), string(n[from : len(n)-to]), string(w[len(w)-to:])
}
