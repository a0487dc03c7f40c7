package filter

import (
	"bytes"
	"math/bits"

	"ken/internal/escape"
)

// MaxHeld is the most bytes that are held back until it is known what they
// begin. A control sequence that is longer is none that a terminal needs.
const MaxHeld = 4096

// MaxDropped is the most bytes of one string that are dropped, with what follows of the
// same run of base64: more than programs copy, and an end to one that never ends. What
// follows is harmless text, since its beginning never reached the terminal.
const MaxDropped = 1 << 20

// PushTitle lays the terminal's title on its stack.
const PushTitle = "\x1b[22;0t"

// maxNested is how deep in one another wrappings for tmux may be.
const maxNested = 3

// What this package decides by; where a sequence begins and ends is escape's to say.
const (
	enq = 0x05
	bel = escape.BEL
	can = escape.CAN
	sub = escape.SUB
	esc = escape.ESC
	del = escape.DEL
)

type state uint8

const (
	ground  state = iota
	lead          // C2, which begins a C1 character in UTF-8
	escaped       // ESC
	csi           // parameters
	osc           // its number
	oscArg        // what follows the number, where that says what it is
	dcs           // parameters, and "tmux;"
	apc           // up to its first semicolon
	dropCSI       // up to its final byte
	drop          // a string, up to its end
	dropEsc       // ESC in it
	wrapped       // what tmux is to pass on
	wrapEsc       // ESC in it
)

// A Filter filters one output. The zero Filter is ready for use. Not for use by
// several goroutines at once.
type Filter struct {
	state state
	more  int  // continuation bytes that the character still has
	bytes bool // the terminal left UTF-8, so every C1 byte is one

	held  []byte   // of the sequence that is being read, what came in earlier pieces
	size  int      // of that sequence, in bytes
	bad   bool     // it holds ENQ, so it goes whatever it is
	head  [64]byte // what of it counts: no control characters
	n     int      // of head; more than there is room for: too long
	last  byte     // the last that counted
	num   bool     // an OSC has digits already
	arg   []byte   // what follows the number of an OSC, or the introducer of an APC
	kind  int      // the number of the OSC
	eight bool     // it was introduced by a character of C1
	bell  bool     // BEL ends what is dropped
	gone  int      // bytes of the string that is dropped

	titled bool
	depth  int
	inner  *Filter // of what tmux is to pass on
	out    []byte
}

// A piece is what Next works on: p[from:at] passes as it came, and the sequence
// that is being read began at seq; -1: in an earlier piece.
//
// A sequence that cuts another one off counts as one with it, so that they pass or go
// together: if only the second went, the beginning of the first would meet what
// follows.
type piece struct {
	p             []byte
	from, at, seq int
	copied        bool
}

// Next takes the next piece of the output and returns what of it, and of what was
// held back, passes: p itself if that is all of it, or else bytes that are valid until
// the next call.
func (f *Filter) Next(p []byte) []byte {
	if f.state == ground && f.more == 0 && plain(p) {
		return p
	}
	f.out = f.out[:0]
	w := piece{p: p, seq: -1}
	if f.state == ground || f.state >= dropCSI {
		w.seq = 0
	}
	for w.at = 0; w.at < len(p); {
		if f.state == ground && f.more == 0 {
			w.at += skip(p[w.at:], f.bytes)
			if w.at == len(p) {
				break
			}
		}
		f.step(&w, p[w.at])
		w.at++
	}
	switch f.state {
	case ground:
		if !w.copied && w.from == 0 && len(f.out) == 0 {
			return p
		}
		f.pass(&w, len(p))
	case lead, escaped, csi, osc, oscArg, dcs, apc:
		if w.seq >= 0 {
			f.pass(&w, w.seq)
			w.from = w.seq
		}
		f.held = append(f.held, p[w.from:]...)
	}
	return f.out
}

// Flush ends the output: it returns what was held back, which is the beginning of
// a sequence, and makes f ready for another output.
func (f *Filter) Flush() []byte {
	rest := f.held
	if f.bad {
		rest = nil
	}
	*f = Filter{depth: f.depth}
	return rest
}

// pass lets p up to end pass.
func (f *Filter) pass(w *piece, end int) {
	w.copied = true
	if end > w.from {
		f.out = append(f.out, w.p[w.from:end]...)
	}
	w.from = end
}

// begin notes that a sequence begins at the byte that is read.
func (f *Filter) begin(w *piece, s state) {
	w.seq, f.size, f.bad = w.at, 1, false
	f.next(s)
}

// next begins another sequence that counts as one with what was read.
func (f *Filter) next(s state) {
	f.state, f.n, f.last, f.num, f.arg, f.eight = s, 0, 0, false, f.arg[:0], false
}

// done lets the sequence that was read pass.
func (f *Filter) done(w *piece) {
	if f.bad {
		f.discard(w, ground)
		return
	}
	f.state = ground
	f.release(w)
}

func (f *Filter) release(w *piece) {
	if len(f.held) > 0 {
		w.copied = true
		f.out = append(f.out, f.held...)
		f.held = f.held[:0]
	}
	w.seq = 0
}

// discard drops the sequence that was read so far, and goes on in s. The byte that is
// read belongs to it.
func (f *Filter) discard(w *piece, s state) {
	if w.seq >= 0 {
		f.pass(w, w.seq)
	}
	f.held = f.held[:0]
	w.copied, w.from, w.seq = true, w.at+1, 0
	f.state, f.gone = s, 0
}

// tooLong drops a sequence that is none.
func (f *Filter) tooLong(w *piece) {
	to := ground
	switch f.state {
	case csi:
		to = dropCSI
	case osc, oscArg, dcs, apc:
		f.bell, to = f.state == osc || f.state == oscArg, drop
	}
	f.discard(w, to)
}

func (f *Filter) step(w *piece, b byte) {
	if f.state > ground && f.state < dropCSI {
		f.bad = f.bad || b == enq
		if f.size++; f.size > MaxHeld {
			f.tooLong(w)
			return
		}
	}
	switch f.state {
	case ground:
		f.text(w, b)
	case lead:
		if b < 0x80 || b > 0x9f {
			f.done(w)
			if b < 0x80 || b > 0xbf {
				f.text(w, b)
			}
			return
		}
		f.c1(w, b)
	case escaped:
		f.behindEscape(w, b)
	case csi:
		f.inCSI(w, b)
	case osc:
		f.inOSC(w, b)
	case oscArg:
		f.inArg(w, b)
	case apc:
		f.inAPC(w, b)
	case dcs:
		f.inDCS(w, b)
	case dropCSI:
		w.from, w.copied = w.at+1, true
		switch _, what := escape.Control(rune(b)); {
		case what == escape.Ended, b == can, b == sub:
			f.state = ground
		case what == escape.Stray && (b == esc || b >= 0x80):
			w.from, f.state = w.at, ground
			f.text(w, b)
		}
	case drop, dropEsc:
		f.dropped(w, b)
	case wrapped, wrapEsc:
		f.wrap(w, b)
	}
}

// text takes a byte of the text.
func (f *Filter) text(w *piece, b byte) {
	if f.more > 0 && b&0xc0 == 0x80 && !f.bytes {
		f.more--
		return
	}
	f.more = 0
	switch {
	case b == esc:
		f.begin(w, escaped)
	case b == enq:
		w.seq = w.at
		f.discard(w, ground)
	case b < 0x80:
	case b < 0xa0: // a character of C1 by its byte
		f.begin(w, lead)
		f.c1(w, b)
	case f.bytes:
	case b == 0xc2:
		f.begin(w, lead)
	case b >= 0xc0:
		f.more = min(bits.LeadingZeros8(^b)-1, 3)
	}
}

// c1 takes a character of C1, the last byte of which is b.
func (f *Filter) c1(w *piece, b byte) {
	switch to, _ := escape.Introduced(rune(b)); to {
	case escape.CSI, escape.DCS, escape.OSC, escape.APC:
		f.open(w, to)
		f.eight = to == escape.OSC || to == escape.APC
	default:
		f.done(w)
	}
}

// open goes on in what was introduced.
func (f *Filter) open(w *piece, to escape.State) {
	switch to {
	case escape.CSI:
		f.next(csi)
	case escape.OSC:
		f.next(osc)
	case escape.DCS:
		f.next(dcs)
	case escape.APC:
		f.next(apc)
	default: // strings that no terminal of today has a use for
		f.bell = false
		f.discard(w, drop)
	}
}

// cut takes a byte in a control sequence that has no place in one.
func (f *Filter) cut(w *piece, b byte) {
	switch {
	case b == esc:
		f.next(escaped)
	case b == can || b == sub:
		f.done(w)
	case b >= 0x80: // some terminals overlook it, and some end the sequence
		f.discard(w, ground)
		w.from = w.at
		f.text(w, b)
	}
}

// behindEscape takes what follows ESC.
func (f *Filter) behindEscape(w *piece, b byte) {
	at := escape.Escape
	if f.last != 0 {
		at = escape.Intermediate
	}
	switch to, what := at.Escaped(rune(b)); what {
	case escape.Opened:
		f.open(w, to)
	case escape.Inside:
		f.last = b
	case escape.Ended:
		if f.last == '%' {
			f.bytes = b == '@'
		}
		f.done(w)
	default:
		f.cut(w, b)
	}
}

// count adds a byte of a sequence that counts.
func (f *Filter) count(b byte) {
	if f.n < len(f.head) {
		f.head[f.n] = b
		f.n++
	}
	f.last = b
}

func (f *Filter) inCSI(w *piece, b byte) {
	switch _, what := escape.Control(rune(b)); what {
	case escape.Inside:
		f.count(b)
	case escape.Ended:
		if asks(f.head[:f.n], f.last, b) {
			f.discard(w, ground)
			return
		}
		f.done(w)
	default:
		f.cut(w, b)
	}
}

// asks reports whether a control sequence is one that goes.
func asks(params []byte, last, final byte) bool {
	inter := last >= 0x20 && last < 0x30
	switch final {
	case 'i':
		return true // the printer
	case 't':
		n, _ := number(params)
		return !inter && (n == 20 || n == 21)
	case 'y':
		return last == '*'
	case 'u', 'w':
		return last == '$'
	}
	return false
}

// number is that at the beginning of b, as lenient terminals read it, and how many
// bytes it takes; -1 if there is none, or one that is too great.
func number(b []byte) (n, size int) {
	trimmed := bytes.TrimLeft(b, " +")
	size = len(b) - len(trimmed)
	n = -1
	for _, c := range trimmed {
		if c < '0' || c > '9' {
			break
		}
		size++
		n = max(n, 0)*10 + int(c-'0')
		if n > 1e6 {
			return -1, size
		}
	}
	return n, size
}

// dropped takes a byte of a string that goes.
func (f *Filter) dropped(w *piece, b byte) {
	was := f.state
	f.state = drop
	w.from, w.copied = w.at+1, true
	f.gone++
	switch {
	case was == dropEsc && b == '\\':
		f.state = ground
	case was == dropEsc && b != esc:
		// The ESC began something else, of which it is the first byte.
		f.held = append(f.held[:0], esc)
		w.from, w.seq, f.size, f.bad = w.at, -1, 2, b == enq
		f.next(escaped)
		f.behindEscape(w, b)
	case b == esc:
		f.state = dropEsc
	case b == can || b == sub, b == bel && f.bell, b == 0x9c:
		f.state = ground
	case f.gone > MaxDropped && !isBase64(b):
		w.from, f.state = w.at, ground
		f.text(w, b)
	}
}

func isBase64(b byte) bool {
	return b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9' || b == '+' || b == '/' || b == '='
}

// enter begins what tmux is to pass on.
func (f *Filter) enter(w *piece) {
	f.bell = false
	if f.depth >= maxNested || f.bad {
		f.discard(w, drop)
		return
	}
	f.release(w)
	f.pass(w, w.at+1)
	f.state = wrapped
	f.inner = &Filter{depth: f.depth + 1}
}

// wrap takes a byte of what tmux is to pass on, in which ESC stands twice.
func (f *Filter) wrap(w *piece, b byte) {
	was := f.state
	f.state = wrapped
	w.from, w.copied = w.at+1, true
	give := func(p ...byte) {
		for _, c := range f.inner.Next(p) {
			if c == esc {
				f.out = append(f.out, esc)
			}
			f.out = append(f.out, c)
		}
	}
	switch {
	case b == can || b == sub:
		f.inner, f.state = nil, ground
		f.out = append(f.out, b)
	case was == wrapEsc && b == '\\':
		f.inner, f.state = nil, ground // what it held back is cut off
		f.out = append(f.out, esc, '\\')
	case was == wrapEsc && b == esc:
		give(esc)
	case was == wrapEsc:
		give(esc, b)
	case b == esc:
		f.state = wrapEsc
	default:
		give(b)
	}
}
