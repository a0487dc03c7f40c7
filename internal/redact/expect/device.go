package expect

import (
	"strings"

	"ken/internal/redact/chars"
)

// readDevice looks at a word at text[at:end] behind which the line of a device has a secret,
// perhaps with the number of its form, or the name of it, between.
func (r *Reader) readDevice(at, end int) {
	s := r.text
	if s[at] == ' ' {
		at++
	}
	if !chars.StartsWord(s, at) {
		return
	}
	line, limit := lineBounds(s, at, maxSentence)
	if strings.ContainsAny(s[line:at], "=(){}:\"'.,") {
		return
	}
	i := chars.RunOf(s[:limit], end, chars.IsBlank)
	numbered := false
	for range 2 {
		stop := chars.RunOf(s[:limit], i, func(c byte) bool { return !chars.IsSpace(c) })
		switch word := s[i:stop]; word {
		case "ENC", "ascii", "ascii-text", "hex", "md5", "sha", "sha256", "local", "remote", "set-key", "encrypted", "key",
			"--plaintext", "read", "write", "0", "5", "6",
			"7", "8", "9", "4", "hidden", "plaintext", "text", "cipher", "simple", "hash", "irreversible-cipher":
			i, numbered = chars.RunOf(s[:limit], stop, chars.IsBlank), true
			continue
		}
		break
	}
	stop := chars.RunOf(s, i, func(c byte) bool { return !chars.IsSpace(c) })
	start, to := i, stop
	if i < len(s) && chars.IsQuote(s[i]) {
		start, to = trimmed(s, i, stop)
	}
	if stop == len(s) {
		r.hold(i)
	}
	v := s[start:to]
	sh := chars.ShapeOf(v)
	rest := chars.RunOf(s, stop, chars.IsBlank)
	over := rest >= len(s) || s[rest] == '\n' || s[rest] == '\r'
	if len(v) < 6 || sh.Other > 0 || sh.Digit == 0 && !(strings.HasPrefix(lowerASCII(s[at:end]), "community") && sh.Upper > 1 &&
		sh.Lower > 1 && len(v) >= 9 && piecesOf(v) > 4 && len(v) < 3*piecesOf(v)) || sh.Letters() == 0 || chars.IsReference(v) &&
		!strings.HasPrefix(v, "$") ||
		chars.IsSettled(v) || chars.Thing(v).IsTechnical() || strings.HasPrefix(v, "<") || strings.HasPrefix(v, "$(") ||
		strings.HasPrefix(v, "${") {
		return
	}
	if !r.ofDevice(line, end) {
		return
	}
	if gradeOf(v) > ordinary || sh.Digit == 0 || isKeyText(v) || numbered && len(v) >= 6 || strings.HasPrefix(v, "$") &&
		strings.Count(v, "$") > 2 ||
		over && strings.IndexByte(" \t", s[line]) >= 0 && !chars.IsWordy(v) && len(v) >= 8 {
		r.add("password", start, to)
	}
}

// ofDevice reports whether the line at text[line], up to text[at], is of the configuration of
// a device: its words, or those of the line that its block begins with, say so.
func (r *Reader) ofDevice(line, at int) bool {
	s := r.text
	if deviceLine(s[line:at]) {
		return true
	}
	if line == 0 || line >= len(s) || !chars.IsBlank(s[line]) {
		return false
	}
	for n, i := 0, line; n < 8 && i > 0; n++ {
		above, _ := lineBounds(s, i-1, maxSentence)
		if deviceLine(s[above : i-1]) {
			return true
		}
		if !chars.IsBlank(s[above]) {
			return false
		}
		i = above
	}
	return false
}

// deviceLine reports whether one of the first words of text is of devices.
func deviceLine(text string) bool {
	n := 0
	for w := range strings.FieldsSeq(text) {
		if n++; n > 8 {
			break
		}
		if is(aDevice, w) {
			return true
		}
	}
	return false
}
