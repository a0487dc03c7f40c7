package edit

import (
	"strconv"
	"strings"
)

// numberOff takes "12: ", "12|" and what blank the line begins with off a line, and extra
// behind it.
func numberOff(line, extra string) (n int, rest string, ok bool) {
	line = strings.TrimLeft(line, " \t")
	digits := 0
	for digits < len(line) && digits < 9 && line[digits] >= '0' && line[digits] <= '9' {
		digits++
	}
	n, err := strconv.Atoi(line[:digits])
	if err != nil {
		return 0, "", false
	}
	rest = line[digits:]
	switch {
	case rest == ":", rest == "|": // what stood behind it was cut as space at the end
		return n, "", true
	case strings.HasPrefix(rest, ": "):
		rest = rest[2:]
	case strings.HasPrefix(rest, "|"):
		rest = rest[1:]
	default:
		return 0, "", false
	}
	if cut, ok := strings.CutPrefix(rest, extra); ok {
		return n, cut, true
	}
	return n, rest, bare(rest) == ""
}

// numbersOff takes line numbers off all lines, if each has one and they count up by one
// from first.
func numbersOff(lines []string, extra string) (off []string, first int, ok bool) {
	for i, line := range lines {
		n, rest, ok := numberOff(line, extra)
		if i == 0 {
			first = n
		}
		if !ok || n != first+i {
			return nil, 0, false
		}
		off = append(off, rest)
	}
	return off, first, len(lines) > 0
}

// newNumbersOff takes line numbers off the new lines: off all, if all have one and they rise
// from about where those of the quote do; else off those that were quoted with theirs. ok is
// false if others have one as well: the number may be a part of the line.
func newNumbersOff(lines, off, quoted []string, first int, extra string) (_ []string, ok bool) {
	if all, ok := risingOff(lines, first, first+max(len(lines), len(quoted)), extra); ok {
		return all, true
	}
	was := make(map[string]string, len(quoted))
	for i, line := range quoted {
		was[line] = off[i]
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		if cut, ok := was[line]; ok {
			out[i] = cut
			continue
		}
		if _, _, numbered := numberOff(line, extra); numbered {
			return nil, false
		}
		out[i] = line
	}
	return out, true
}

// risingOff takes line numbers off all lines, if each has one between from and to, and each
// a larger one than the line before.
func risingOff(lines []string, from, to int, extra string) (off []string, ok bool) {
	for _, line := range lines {
		n, rest, ok := numberOff(line, extra)
		if !ok || n < from || n > to {
			return nil, false
		}
		from = n + 1
		off = append(off, rest)
	}
	return off, len(lines) > 0
}
