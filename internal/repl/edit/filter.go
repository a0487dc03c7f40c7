package edit

import (
	"bytes"
	"unicode/utf8"

	"ken/internal/escape"
)

// bell is a character that no keyboard sends and no text holds: Unicode says
// that it never will be one. Typed at the library, it says that there is something in
// the editor's inbox.
const bell = '\U0010FFFE'

// Where a filter is in what was typed.
type stage uint8

const (
	atText   stage = iota
	atEscape       // after ESC
	atSingle       // after ESC O: one more makes a key
	atCSI          // after ESC [
	atIntro        // after ESC ] or ESC P, which may begin a report
	atReport       // in a report of the terminal that is text, up to ST or BEL
	atBlock        // in a pasted block
)

// The ends of what is collected.
const (
	pasteEnd  = "\x1b[201~"
	maxSeq    = 64      // bytes of a control sequence that a keyboard sends
	maxReport = 1 << 16 // bytes of a report
)

// A filter separates what a person typed from what was pasted and from what the
// terminal answers on its own. What comes out in one piece is whole: a key
// sequence, a character, a block.
type filter struct {
	known func(seq string) bool // whether a key sequence does something
	limit int                   // bytes of a block; the rest of a longer one is counted and dropped

	keys   func(b []byte)           // typed
	pasted func(b []byte, size int) // pasted: at most limit bytes of size
	cursor func(seq []byte)         // the terminal says where the cursor is

	stage stage
	held  []byte // of an unfinished sequence or character
	block []byte
	size  int // of the block, what was dropped included
	tail  []byte
}

// feed takes the next bytes.
func (f *filter) feed(in []byte) {
	for _, c := range in {
		f.step(c)
	}
}

// pending reports whether the end of something is not there yet.
func (f *filter) pending() bool { return f.stage != atText || len(f.held) > 0 }

// flush ends what was begun: nothing more came for so long that the key was
// meant as it is.
func (f *filter) flush() {
	held := f.held
	f.held = nil
	switch f.stage {
	case atBlock:
		f.endBlock(f.block)
	case atEscape, atSingle, atCSI, atIntro:
		f.keys(held)
	case atReport, atText: // half a character and half a report are nothing
	}
	f.stage = atText
}

func (f *filter) step(c byte) {
	switch f.stage {
	case atText:
		f.character(c)
	case atEscape:
		f.escaped(c)
	case atSingle:
		if c < ' ' || c > 0x7e { // no key: Alt with O, and what came next
			f.finish(true)
			f.step(c)
			return
		}
		f.held = append(f.held, c)
		f.finish(f.known(string(f.held)))
	case atCSI:
		f.sequence(c)
	case atIntro:
		f.introduced(c)
	case atReport:
		f.held = append(f.held, c)
		if c == escape.BEL || bytes.HasSuffix(f.held, []byte("\x1b\\")) || len(f.held) > maxReport {
			f.finish(false)
		}
	case atBlock:
		f.blockByte(c)
	}
}

// character takes a byte of text.
func (f *filter) character(c byte) {
	switch {
	case c == escape.ESC:
		f.held = append(f.held[:0], c)
		f.stage = atEscape
		return
	case c < utf8.RuneSelf:
		f.held = f.held[:0]
		f.keys([]byte{c})
		return
	case utf8.RuneStart(c):
		f.held = append(f.held[:0], c)
	case len(f.held) == 0:
		return // the middle of a character without its beginning
	default:
		f.held = append(f.held, c)
	}
	if !utf8.FullRune(f.held) {
		return
	}
	r, _ := utf8.DecodeRune(f.held)
	if r != utf8.RuneError && r != bell && (r < 0x80 || r >= 0xa0) {
		f.keys(f.held)
	}
	f.held = f.held[:0]
}

// escaped takes what follows ESC.
func (f *filter) escaped(c byte) {
	switch to, _ := escape.Escape.Next(rune(c)); {
	case to == escape.CSI:
		f.stage = atCSI
	case c == 'O':
		f.stage = atSingle
	case to == escape.OSC || to == escape.DCS:
		f.stage = atIntro
	case c == escape.ESC:
		f.keys(f.held) // the key itself, twice
		f.held = f.held[:0]
	case c >= utf8.RuneSelf:
		f.keys(f.held)
		f.held, f.stage = f.held[:0], atText
		f.character(c)
		return
	default:
		f.held = append(f.held, c)
		f.finish(true)
		return
	}
	f.held = append(f.held, c)
}

// introduced takes what follows ESC ] or ESC P: a report of a terminal goes on
// with a number or a sign, a person who pressed Alt with something else.
func (f *filter) introduced(c byte) {
	if c >= '0' && c <= '9' || f.held[1] == 'P' && bytes.IndexByte([]byte(">$!+|"), c) >= 0 {
		f.held = append(f.held, c)
		f.stage = atReport
		return
	}
	f.finish(true)
	f.step(c)
}

// sequence takes what follows ESC [.
func (f *filter) sequence(c byte) {
	f.held = append(f.held, c)
	switch _, what := escape.CSI.Next(rune(c)); {
	case c == escape.ESC: // it was cut off
		f.held = f.held[:0]
		f.stage = atText
		f.step(c)
	case what == escape.Stray || what == escape.Cancelled || len(f.held) > maxSeq:
		f.finish(false)
	case what == escape.Ended:
		f.control(string(f.held[2:len(f.held)-1]), c)
	}
}

// control takes a whole control sequence.
func (f *filter) control(params string, final byte) {
	switch {
	case final == '~' && params == "200":
		f.stage, f.held = atBlock, f.held[:0]
		f.block, f.tail, f.size = nil, nil, 0
	case final == 'R' && isPosition(params):
		f.cursor(f.held)
		f.finish(false)
	default:
		f.finish(f.known(string(f.held)))
	}
}

// isPosition reports whether params are those of a report of the cursor.
func isPosition(params string) bool {
	row, col, ok := bytes.Cut([]byte(params), []byte{';'})
	return ok && isNumber(row) && isNumber(col)
}

func isNumber(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}

// finish passes on what was held, or drops it.
func (f *filter) finish(pass bool) {
	held := f.held
	f.stage, f.held = atText, nil
	if pass {
		f.keys(held)
	}
}

// blockByte takes a byte of a pasted block. Only the end mark has a meaning in it.
func (f *filter) blockByte(c byte) {
	if len(f.tail) == 0 && c != escape.ESC {
		f.take(c)
		return
	}
	f.tail = append(f.tail, c)
	for len(f.tail) > 0 && !bytes.HasPrefix([]byte(pasteEnd), f.tail) {
		f.take(f.tail[0])
		f.tail = f.tail[1:]
	}
	if len(f.tail) == len(pasteEnd) {
		f.tail = nil
		f.endBlock(f.block)
		f.stage = atText
	}
}

func (f *filter) take(c byte) {
	f.size++
	if len(f.block) < f.limit {
		f.block = append(f.block, c)
	}
}

func (f *filter) endBlock(b []byte) {
	f.block = nil
	f.pasted(b, f.size)
}
