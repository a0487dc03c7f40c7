package termsafe

import (
	"unicode/utf8"

	"ken/internal/escape"
)

// step takes one character as decode returns it, raw being its bytes.
func (c *Cleaner) step(dst []byte, r rune, raw string) []byte {
	c1 := r < 0 // a raw byte that is a C1 control in 8-bit modes
	if c1 {
		r = -r
	}
	if c.state != escape.Text {
		if c.size += len(raw); c.size > MaxSequence && !c.over {
			dst = c.giveUp(dst)
		}
		if c.state != escape.Text && c.inside(r, raw) {
			return dst
		}
	}
	// From here c is in the text: inside returns false only with that.
	if c.tagging {
		if fateOf(r) == tag {
			return c.collect(dst, r)
		}
		c.tagging = false
	}
	if c1 {
		dst = c.emit(dst, utf8.RuneError)
		c.begin(r)
		return dst
	}
	return c.place(dst, r)
}

// place puts out, drops or replaces a character that belongs to no sequence.
func (c *Cleaner) place(dst []byte, r rune) []byte {
	switch {
	case r == '\n' && c.cr:
		c.cr = false
		return dst
	case c.keeps(r):
		return c.emit(dst, r)
	}
	switch fateOf(r) {
	case control:
		if r != '\r' {
			c.begin(r)
			return dst
		}
		if !c.cr {
			dst = c.emit(dst, '\n')
			c.cr = true
		}
	case separator:
		return c.emit(dst, '\n')
	case nonchar:
		return c.emit(dst, utf8.RuneError)
	case tag:
		if c.prev == 0x1f3f4 { // black flag
			c.tagging, c.nTags = true, 0
			return c.collect(dst, r)
		}
	}
	return dst
}

// collect takes a tag character after a black flag. The run is put out when its
// end tag comes and it names a flag.
func (c *Cleaner) collect(dst []byte, r rune) []byte {
	if r != 0xe007f {
		if c.nTags < len(c.tags) {
			c.tags[c.nTags] = byte(r - 0xe0000)
			c.nTags++
		}
		return dst
	}
	c.tagging = false
	if !isFlagTag(c.tags[:c.nTags]) {
		return dst
	}
	for _, b := range c.tags[:c.nTags] {
		dst = c.emit(dst, 0xe0000+rune(b))
	}
	return c.emit(dst, r)
}

// begin opens the sequence that the control character r introduces, if any. A
// control that introduces nothing is thereby dropped.
func (c *Cleaner) begin(r rune) {
	c.reset()
	c.state, _ = escape.Text.Next(r)
	c.size = 1
}

// inside takes a character of an open sequence and reports whether it belongs
// to it. If not, the sequence is over and r stands for itself.
func (c *Cleaner) inside(r rune, raw string) bool {
	was := c.state
	to, what := was.Next(r)
	switch {
	case what == escape.Ended, what == escape.Cancelled:
		c.reset()
		return true
	case what == escape.Stray:
		c.reset()
		return false
	case to == escape.Intermediate:
		to = escape.Escape // what comes next may still introduce one: less is shown
	case was.String() != escape.Text && to == was:
		return c.payload(r, raw)
	}
	if was.Ending() { // it was no end of the string, and began something else
		c.reset()
	}
	c.state = to
	return true
}

// payload takes a character of a string.
func (c *Cleaner) payload(r rune, raw string) bool {
	if c.over {
		if r != '\n' && r != '\r' {
			return true
		}
		c.reset()
		return false
	}
	c.held = append(c.held, raw...)
	return true
}

// wholeCSI returns the length of the control sequence that s begins with, if all
// of it is there, and else 0. It is the short way for coloured text; step takes
// any other.
func wholeCSI(s string) int {
	if len(s) < 3 || s[0] != escape.ESC || s[1] != '[' {
		return 0
	}
	i := 2
	for i < len(s) && i < MaxSequence && s[i]&0xe0 == 0x20 {
		i++
	}
	if i < len(s) && i < MaxSequence && s[i] >= 0x40 && s[i] < 0x7f {
		return i + 1
	}
	return 0
}
