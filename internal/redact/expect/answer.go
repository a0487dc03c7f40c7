package expect

import (
	"strings"
	"unicode/utf8"

	"ken/internal/redact/chars"
)

// How far below a question its answer may stand.
const (
	maxAnswers = 4   // lines
	maxAnswer  = 400 // bytes
)

// answer adds the value that is all that somebody says below the line of text[at:stop],
// which asks for a password or announces one.
func (r *Reader) answer(at, stop int) {
	s := r.text
	if at < r.lineDone {
		return
	}
	line, end := lineBounds(s, at, maxSentence)
	if end >= len(s) || s[end] != '\n' || strings.ContainsAny(s[line:end], "{};|\\") || strings.Contains(s[line:end], "://") ||
		strings.Contains(s[line:end], " = ") {
		return
	}
	r.lineDone = end
	said := strings.TrimRight(s[line:end], " \t\r*_")
	asks := strings.HasSuffix(said, "?") || strings.HasSuffix(said, "？") || strings.HasSuffix(said, ":") || strings.HasSuffix(said, "：") ||
		strings.Contains(s[stop:end], "?")
	spokenAt, spoken := afterSpeaker(s, line, end)
	asks = asks || spoken && is(anAsk, strings.TrimSuffix(strings.TrimSuffix(firstWord(s[spokenAt:end]), "'s"), "’s"))
	limit := min(len(s), end+maxAnswer)
	for i, n := end+1, 0; i < limit && n < maxAnswers; n++ {
		next := chars.LineEnd(s, i, maxAnswer)
		from, speaker := afterSpeaker(s, i, next)
		to := chars.RunBack(s, next, chars.IsSpace)
		if from < to && strings.IndexByte(s[from:to], ' ') < 0 {
			start, stop := trimmed(s, from, to)
			g := gradeOf(s[start:stop])
			asks = asks || g == worded && hasWord(anAsk, s[line:end])
			if next == len(s) && g > ordinary {
				r.hold(from)
			}
			if start > from+1 || g == ordinary && !(asks && spoken && speaker && n < 2 && chars.Thing(s[start:stop]).IsGiven() &&
				!chars.Thing(s[start:stop]).IsAdjective() && !isCodeAround(s, start, stop)) || g == worded && !asks &&
				!(spoken && speaker) || !asks && !spoken && n > 2 {
				if s[to-1] == ':' || s[to-1] == '=' {
					return // the next of a list of settings
				}
			} else {
				r.add("password", start, stop)
				return
			}
		} else if from < to && !speaker && !asks {
			return
		} else if from < to && strings.Count(s[from:to], " ") < 5 && r.answered(from, to, asks) {
			return
		}
		i = next + 1
	}
}

// afterSpeaker returns where the speech begins in the line s[i:end], behind the time and
// the name of who speaks, a mark of a list or of a quotation, and whether any stood there.
func afterSpeaker(s string, i, end int) (int, bool) {
	i = chars.RunOf(s[:end], i, chars.IsSpace)
	begin := i
	for range 3 {
		from := i
		switch {
		case i >= end:
			return i, i > begin
		case s[i] == '[' || s[i] == '(':
			if k := strings.IndexAny(s[i:end], "])"); k > 0 && k < 24 && chars.ShapeOf(s[i:i+k]).Digit > 0 {
				i += k + 1
			}
		case s[i] == '<':
			if k := strings.IndexByte(s[i:end], '>'); k > 0 && k < 32 {
				i += k + 1
			}
		case strings.IndexByte("->*•", s[i]) >= 0 && i+1 < end && (s[i+1] == ' ' || s[i+1] == '*' || s[i+1] == '>'):
			i += chars.RunOf(s[i:end], 0, func(c byte) bool { return c == '-' || c == '>' || c == '*' })
			if k := strings.Index(s[i:min(end, i+32)], "**"); k > 0 {
				i += k + 2 // **Name**
			}
		case chars.IsDigit(s[i]):
			if k := chars.RunOf(s[:end], i, func(c byte) bool { return chars.IsDigit(c) || c == ':' || c == '.' }); k < end && k-i <= 8 &&
				strings.IndexByte(s[i:k], ':') > 0 && chars.IsBlank(s[k]) {
				i = k
			}
		default:
			if k := colonIn(s[i:min(end, i+40)]); k > 0 {
				i += k
			}
		}
		i = chars.RunOf(s[:end], i, chars.IsBlank)
		if i == from {
			break
		}
	}
	return i, i > begin
}

// colonIn returns the end of the colon behind the name of a speaker that text begins with,
// or 0.
func colonIn(text string) int {
	for i, c := range text {
		switch {
		case c == ':' || c == '：':
			end := i + utf8.RuneLen(c)
			if c == ':' && (end == len(text) || text[end] != ' ' && text[0] < 0x80) || strings.Count(text[:i], " ") > 2 || i == 0 {
				return 0
			}
			return end
		case c < 0x80 && !chars.IsAlnum(byte(c)) && strings.IndexByte(" .-_*'", byte(c)) < 0:
			return 0
		}
	}
	return 0
}

// hasWord reports whether one of the words of text is of one of kinds.
func hasWord(kinds kind, text string) bool {
	for w := range strings.FieldsSeq(text) {
		if is(kinds, strings.TrimSuffix(strings.TrimSuffix(strings.Trim(w, ".,:;?!'’"), "'s"), "’s")) {
			return true
		}
	}
	return kinds == anAsk && partsIn(text)&aSign != 0
}

// readBelow looks at what stands above two lines, a user and a password, at text[at:end].
func (r *Reader) readBelow(_, end int) {
	s := r.text
	i := chars.LineEnd(s, end, maxSentence)
	for n := 0; n < 2 && i < len(s); {
		i = chars.RunOf(s, i, chars.IsSpace)
		stop := chars.LineEnd(s, i, maxSentence)
		if i >= len(s) || s[i] == '<' {
			return
		}
		to := chars.RunBack(s, stop, chars.IsSpace)
		if s[i] == '#' {
			i = stop
			continue
		}
		if strings.IndexByte(s[i:to], ' ') >= 0 {
			return
		}
		if n++; n == 2 && gradeOf(s[i:to]) > ordinary {
			if to == len(s) {
				r.hold(i)
			}
			r.add("password", i, to)
		}
		i = stop
	}
}

// answered adds the value among the few words of an answer, text[from:to].
func (r *Reader) answered(from, to int, asks bool) bool {
	s := r.text
	for i := from; i < to; {
		t := nextToken(s, i, to)
		if t.start >= to {
			return false
		}
		start, end := trimmed(s, t.start, t.end)
		before := strings.TrimRight(s[from:t.start], " ")
		bound := strings.HasSuffix(before, "/") || strings.HasSuffix(before, ":") || is(aLink, lastWord(before))
		if g := gradeOf(s[start:end]); (g == made && (asks || bound) || g == worded && bound && asks) && !isCodeAround(s, start, end) {
			if to == len(s) {
				r.hold(from)
			}
			r.add("password", start, end)
			return true
		}
		i = t.end
	}
	return false
}
