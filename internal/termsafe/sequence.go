package termsafe

import "unicode/utf8"

// Control characters that begin, end or abandon a sequence.
const (
	bel = 0x07
	can = 0x18
	sub = 0x1a
	esc = 0x1b
	st  = 0x9c // string terminator
)

// step takes one character as decode returns it, raw being its bytes.
func (c *Cleaner) step(dst []byte, r rune, raw string) []byte {
	c1 := r < 0 // a raw byte that is a C1 control in 8-bit modes
	if c1 {
		r = -r
	}
	if c.state != ground {
		if c.size += len(raw); c.size > MaxSequence && !c.over {
			dst = c.giveUp(dst)
		}
		if c.state != ground && c.inside(r, raw) {
			return dst
		}
	}
	// From here c is in the ground state: inside returns false only with that.
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
	switch r {
	case esc:
		c.state = escape
	case 0x9b:
		c.state = csi
	case 0x9d:
		c.state = osc
	case 0x90, 0x98, 0x9e, 0x9f: // DCS, SOS, PM, APC
		c.state = str
	}
	c.size = 1
}

// inside takes a character of an open sequence and reports whether it belongs
// to it. If not, the sequence is over and r stands for itself.
func (c *Cleaner) inside(r rune, raw string) bool {
	if r == can || r == sub {
		c.reset()
		return true
	}
	switch c.state {
	case escape:
		return c.afterEscape(r)
	case csi:
		switch {
		case r >= 0x20 && r < 0x40:
			return true
		case r >= 0x40 && r < 0x7f:
			c.reset()
			return true
		}
	case oscEscape, strEscape:
		c.reset()
		if r == '\\' {
			return true
		}
		c.state = escape
		return c.afterEscape(r)
	default:
		return c.inString(r, raw)
	}
	c.reset()
	return false
}

func (c *Cleaner) afterEscape(r rune) bool {
	switch {
	case r >= 0x20 && r < 0x30: // intermediate
		return true
	case r == '[':
		c.state = csi
		return true
	case r == ']':
		c.state = osc
		return true
	case r == 'P' || r == 'X' || r == '^' || r == '_':
		c.state = str
		return true
	}
	c.reset()
	return r >= 0x30 && r < 0x7f
}

func (c *Cleaner) inString(r rune, raw string) bool {
	switch {
	case r == st, r == bel && c.state == osc:
		c.reset()
		return true
	case r == esc && c.state == osc:
		c.state = oscEscape
		return true
	case r == esc:
		c.state = strEscape
		return true
	case r >= 0x80 && r < 0xa0: // another C1: a sequence of its own
		c.reset()
		return false
	}
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
	if len(s) < 3 || s[0] != esc || s[1] != '[' {
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
