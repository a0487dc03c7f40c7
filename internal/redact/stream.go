package redact

import (
	"strings"

	"ken/internal/redact/chars"
	"ken/internal/redact/naming"
)

const (
	// maxContext is how much of the text that was let go is kept, to judge
	// what follows by what stands before it.
	maxContext = 512
	// maxHeld is how much text is held back at most: more than a private key.
	maxHeld = 2 * maxPEM
)

// A Stream masks a text that arrives in chunks. It lets go all that no further
// text can make part of a secret: in ordinary text, all but the last word. Not
// for use by several goroutines at once.
type Stream struct {
	m    *Masker
	past string // the end of what was let go, unmasked; in a table with a column of secrets, its head first
	held string
	// swallow says that the text was let go inside a secret that is longer
	// than maxHeld: what goes on with it is dropped.
	swallow bool
}

// Stream returns a Stream with the placeholders of m.
func (m *Masker) Stream() *Stream { return &Stream{m: m} }

// Write takes the next chunk and returns masked text that may be shown or kept.
func (st *Stream) Write(chunk string) string {
	if st.swallow {
		chunk = chunk[chars.RunOf(chunk, 0, chars.IsTokenByte):]
		if chunk == "" {
			return ""
		}
		st.swallow = false
	}
	st.held += chunk
	out := ""
	// More can be let go only when another word has ended.
	if word := lastShownWord(st.held); word > 0 && strings.ContainsAny(chunk, " \t\r\n") {
		out = st.release(word, false)
	}
	if len(st.held) > maxHeld {
		out += st.release(len(st.held), true)
	}
	return out
}

// Flush ends the text: it returns the rest of it, masked, and makes st ready for
// another text.
func (st *Stream) Flush() string {
	out := st.release(len(st.held), true)
	*st = Stream{m: st.m}
	return out
}

// release lets go of at most the first n bytes of what is held, and of less,
// unless forced, if a secret may begin before.
func (st *Stream) release(n int, forced bool) string {
	text, from := st.past+st.held, len(st.past)
	f := newFinder(text)
	f.known = st.m.known
	hits := st.m.settle(text, f.run())
	n += from
	if !forced {
		n = max(from, min(n, f.open, firstChoice(text, n)))
		for _, h := range hits {
			if h.Start < n && h.End > n {
				n = max(from, h.Start)
			}
		}
	}
	var own []Hit
	for _, h := range hits {
		if h.Start >= from && h.End <= n {
			own = append(own, Hit{h.Kind, h.Start - from, h.End - from})
		} else if h.Start < from && h.End > from && h.End <= n {
			own = append(own, Hit{h.Kind, 0, h.End - from})
		}
	}
	out := st.m.replace(text[from:n], own)
	st.swallow = forced && len(hits) > 0 && hits[len(hits)-1].End == len(text)
	head := ""
	if f.names.Tables() {
		names := newFinder(text[:n])
		names.scan()
		head = names.names.Table()
	}
	if st.past, st.held = contextOf(text[:n]), text[n:]; head != "" {
		st.past = rowsOf(text[:n], head)
	}
	return out
}

// rowsOf returns the head of a table and what of its last rows is kept of text.
func rowsOf(text, head string) string {
	tail := text[max(0, len(text)-maxContext):]
	if len(tail) < len(text) || !strings.Contains(tail, head) {
		tail = tail[strings.IndexByte(tail, '\n')+1:]
		return head + tail
	}
	return text[strings.LastIndex(text, head):]
}

// maxChoice is how many words may follow a password until the sentence says what
// it is: "X is the password for ...".
const maxChoice = 9

// firstChoice returns where the first of the last words of text[:n] begins that
// may be a password whose name is still to come, or n.
func firstChoice(text string, n int) int {
	first, i := n, n
	for range maxChoice {
		end := chars.RunBack(text, i, chars.IsBlank)
		if end == 0 || text[end-1] == '\n' || end < i-1 {
			break
		}
		i = wordStart(text, end)
		if w := strings.Trim(text[i:end], "\"'`(){}[],.;:"); naming.Looks(w) || len(w) >= 4 && len(w) <= 8 && chars.RunOf(w, 0, chars.IsDigit) == len(w) {
			first = i
		}
	}
	return first
}

// lastShownWord is lastWordStart of s as a reader sees it: a blank inside a control
// sequence ends no word, nor does one between letters that are spaced out.
func lastShownWord(s string) int {
	word := min(lastWordStart(s), chars.SpacedStart(s))
	if v, ok := chars.NewView(s); ok {
		at := lastWordStart(v.Text)
		at, _ = v.Source(at, at)
		word = min(word, at, wordStart(s, v.Open))
	}
	return word
}

// lastWordStart returns where the last word of s begins, and if it is part of a
// row of groups as numbers are written in, where the row begins.
func lastWordStart(s string) int {
	last := wordStart(s, len(s))
	row, digit := last, strings.ContainsAny(s[last:], "0123456789")
	for range 9 {
		if !isGroup(s[row:wordEnd(s, row)]) {
			break
		}
		end := row
		for end > 0 && s[end-1] == ' ' {
			end--
		}
		start := wordStart(s, end)
		if start == end || end == row || !isGroup(s[start:end]) {
			break
		}
		row = start
		digit = digit || strings.ContainsAny(s[start:end], "0123456789")
	}
	if digit {
		return row
	}
	return last
}

func wordEnd(s string, i int) int {
	return chars.RunOf(s, i, func(c byte) bool { return !chars.IsSpace(c) })
}

func wordStart(s string, end int) int {
	for end > 0 && !chars.IsSpace(s[end-1]) {
		end--
	}
	return end
}

// isGroup reports whether w, a word or the beginning of one, may be a group of
// the digits of a card or an account.
func isGroup(w string) bool {
	return chars.RunOf(w, 0, func(c byte) bool { return chars.IsCapital(c) || c == '-' }) == len(w)
}

// contextOf returns the end of s, from the beginning of a word.
func contextOf(s string) string {
	if len(s) <= maxContext {
		return s
	}
	s = s[len(s)-maxContext:]
	if i := strings.IndexAny(s, " \t\n"); i >= 0 {
		return s[i:]
	}
	return s
}
