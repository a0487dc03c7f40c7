package termsafe

import (
	"bytes"
	"unicode/utf8"

	"ken/internal/escape"
)

// MaxSequence is the most bytes that one control sequence may have before it
// stops being taken for one: no terminal control that is in use by a text needs
// more, and an unfinished one must not swallow what follows.
const MaxSequence = 4096

// A Cleaner cleans a text that arrives in chunks. The zero Cleaner is ready for
// use; after Flush it is as new. It holds at most MaxSequence bytes. Not for use
// by several goroutines at once.
type Cleaner struct {
	state escape.State
	// size counts the bytes of the sequence that is being read; held is the payload of
	// a string sequence, of which the lines after the first are shown if it never ends.
	// over: it is too long to end as one, and its line is dropped.
	size int
	held []byte
	over bool
	// part is the beginning of a character that the last chunk cut.
	part  [utf8.UTFMax]byte
	nPart int
	// tags are the letters of a run of tag characters after a black flag,
	// nTags of them; tagging says that such a run may go on.
	tags    [8]byte
	nTags   int
	tagging bool

	around
}

// around is what the characters before the next one decide about it.
type around struct {
	prev rune // the last character put out; 0 at the start
	rtl  bool // the line has right-to-left letters
	cr   bool // the last thing put out was the newline of a CR
}

// Clean returns s as it may be shown on a terminal, as the package comment says.
// It returns s itself if nothing has to go.
func Clean(s string) string {
	var c Cleaner
	n := c.pass(s)
	if n == len(s) {
		return s
	}
	dst := append(make([]byte, 0, len(s)), s[:n]...)
	return string(c.flush(c.feed(dst, s[n:])))
}

// Write takes the next chunk and returns what can be shown of it and of what
// was held back. The result is chunk itself if nothing has to go.
func (c *Cleaner) Write(chunk string) string {
	var n int
	if c.idle() {
		if n = c.pass(chunk); n == len(chunk) {
			return chunk
		}
	}
	dst := append(make([]byte, 0, len(chunk)), chunk[:n]...)
	return string(c.feed(dst, chunk[n:]))
}

// Flush ends the text: it returns what is shown of an unfinished sequence or
// character, and makes c ready for another text.
func (c *Cleaner) Flush() string {
	if c.idle() {
		*c = Cleaner{}
		return ""
	}
	return string(c.flush(nil))
}

// idle reports whether nothing is held back and no sequence is open.
func (c *Cleaner) idle() bool {
	return c.state == escape.Text && c.nPart == 0 && !c.tagging
}

func (c *Cleaner) flush(dst []byte) []byte {
	if c.nPart > 0 {
		part := string(c.part[:c.nPart])
		c.nPart = 0
		dst = c.step(dst, utf8.RuneError, part)
	}
	dst = c.giveUp(dst)
	*c = Cleaner{}
	return dst
}

// giveUp leaves a sequence that did not end. Of a string the first line goes, which is
// its payload, and what stands on further lines is text.
func (c *Cleaner) giveUp(dst []byte) []byte {
	was, payload := c.state.String(), c.held
	c.reset()
	if was == escape.Text {
		return dst
	}
	i := bytes.IndexAny(payload, "\n\r")
	if i < 0 {
		c.state, c.over = was, true
		return dst
	}
	dst = c.feed(dst, string(payload[i:]))
	if c.nPart > 0 { // the payload ended inside a character
		c.nPart = 0
		dst = c.emit(dst, utf8.RuneError)
	}
	return dst
}

func (c *Cleaner) reset() {
	c.state, c.size, c.held, c.over = escape.Text, 0, nil, false
}

// feed appends to dst what s adds to the cleaned text.
func (c *Cleaner) feed(dst []byte, s string) []byte {
	if c.nPart > 0 {
		var n int
		dst, n = c.join(dst, s)
		s = s[n:]
	}
	for len(s) > 0 {
		if c.state == escape.Text && !c.tagging {
			n := c.pass(s)
			dst = append(dst, s[:n]...)
			s = s[n:]
			if s = s[wholeCSI(s):]; s == "" {
				break
			}
		}
		if s[0] >= utf8.RuneSelf && !utf8.FullRuneInString(s) {
			c.nPart = copy(c.part[:], s)
			break
		}
		r, n := decode(s)
		dst = c.step(dst, r, s[:n])
		s = s[n:]
	}
	return dst
}

// join completes the character that the last chunk cut, and returns how many
// bytes of s that took.
func (c *Cleaner) join(dst []byte, s string) ([]byte, int) {
	had := c.nPart
	whole := string(c.part[:had]) + s[:min(len(s), utf8.UTFMax-had)]
	if !utf8.FullRuneInString(whole) {
		c.nPart = copy(c.part[:], whole)
		return dst, len(s)
	}
	c.nPart = 0
	r, n := decode(whole)
	dst = c.step(dst, r, whole[:n])
	// A character that turns out to be invalid ends before the bytes of s that
	// do not belong to it; what was held is always used up.
	return dst, n - had
}

// decode returns the first character of s, which must not be empty, and its
// size. Where s is not UTF-8 the size is that of the longest beginning of a
// character, and the character is utf8.RuneError, or minus the byte for a single
// byte in 0x80..0x9f: to a terminal in an 8-bit mode that is a C1 control.
func decode(s string) (rune, int) {
	r, n := utf8.DecodeRuneInString(s)
	if r != utf8.RuneError || n > 1 {
		return r, n
	}
	for k := min(3, len(s)); k > 1; k-- {
		if !utf8.FullRuneInString(s[:k]) {
			return utf8.RuneError, k
		}
	}
	if s[0] <= 0x9f {
		return -rune(s[0]), 1
	}
	return utf8.RuneError, 1
}

// pass returns the length of the longest beginning of s that stays as it is,
// and notes it in c.around.
func (c *Cleaner) pass(s string) int {
	if s == "" || c.cr && s[0] == '\n' {
		return 0
	}
	a := &c.around
	i := 0
	for i < len(s) {
		b := s[i]
		if b-0x20 < 0x7f-0x20 {
			i++
			continue
		}
		if b == '\n' || b == '\t' {
			a.rtl = a.rtl && b != '\n'
			i++
			continue
		}
		if b < utf8.RuneSelf {
			break
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !isCommon(r) {
			if i > 0 && s[i-1] < utf8.RuneSelf {
				a.prev = rune(s[i-1])
			}
			if r == utf8.RuneError && n == 1 || !a.keeps(r) {
				break
			}
			a.rtl = a.rtl || isRightToLeft(r)
		}
		a.prev = r
		i += n
	}
	if i > 0 {
		if b := s[i-1]; b < utf8.RuneSelf {
			a.prev = rune(b)
		}
		a.cr = false
	}
	return i
}

// keeps reports whether r stays after what came before it.
func (a *around) keeps(r rune) bool {
	switch fateOf(r) {
	case shown:
		return true
	case joiner:
		return mayJoin(a.prev, r)
	case selector:
		return mayVary(a.prev, r)
	case mark:
		return a.rtl && fateOf(a.prev) != mark
	default:
		return false
	}
}

// emit puts r out.
func (c *Cleaner) emit(dst []byte, r rune) []byte {
	c.prev, c.cr = r, false
	switch {
	case r == '\n':
		c.rtl = false
	case isRightToLeft(r):
		c.rtl = true
	}
	return utf8.AppendRune(dst, r)
}
