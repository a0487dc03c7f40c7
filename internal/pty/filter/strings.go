package filter

import "bytes"

// inOSC takes what follows the introducer, up to where it is known what it is.
func (f *Filter) inOSC(w *piece, b byte) {
	ends := b == bel || b == esc || b == can || b == sub || b >= 0x80
	if !ends && (b < 0x20 || b == del) {
		return // overlooked
	}
	digit := b >= '0' && b <= '9'
	if !ends && !f.num && (digit || f.n == 0 && (b == ' ' || b == '+')) {
		f.countDigit(b)
		return
	}
	n, _ := number(f.head[:f.n])
	f.kind = n
	if (n == 1337 || n == 9) && !ends {
		f.state = oscArg
		f.inArg(w, b)
		return
	}
	f.settle(w, b, passesOSC(n) || n < 0 && (f.eight || b == 'R' || b == 'P'))
}

// settle lets an OSC pass, or drops it. Its beginning was read up to b.
func (f *Filter) settle(w *piece, b byte, ok bool) {
	f.bell = true
	switch {
	case f.bad || !ok:
		f.discard(w, drop)
		f.dropped(w, b)
	case b == esc:
		f.next(escaped) // its end, or the beginning of another one
	case b == can || b == sub:
		f.done(w)
	case f.kind >= 0 && f.kind <= 2 && !f.titled && f.depth == 0:
		f.titled = true
		if w.seq >= 0 {
			f.pass(w, w.seq)
		}
		w.copied = true
		f.out = append(f.out, PushTitle...)
		f.leave(w, b)
	default:
		f.leave(w, b)
	}
}

// passesOSC reports whether an OSC of that number is one that passes whatever it says:
// titles, the directory, links, colours and what they are, the shape of the pointer, sizes
// of text, marks of shells. What is not known does not pass.
func passesOSC(n int) bool {
	switch n {
	case 0, 1, 2, 4, 5, 7, 8, 22, 66, 104, 105, 133, 633:
		return true
	}
	return n >= 10 && n <= 19 || n >= 110 && n <= 119
}

// inArg takes what follows the number of an OSC, up to where it is known what it is.
func (f *Filter) inArg(w *piece, b byte) {
	ends := b == bel || b == esc || b == can || b == sub || b >= 0x80
	if !ends && (b < 0x20 || b == del) {
		return // overlooked
	}
	if !ends {
		f.arg = append(f.arg, b)
	}
	arg := bytes.ToLower(bytes.TrimLeft(f.arg, "; "))
	if f.kind == 9 { // a progress bar; the rest is notes, macros, and programs to run
		if ends || len(arg) > 1 {
			f.settle(w, b, bytes.Equal(bytes.TrimRight(arg, ";"), []byte("4")))
		}
		return
	}
	key, value, assigned := bytes.Cut(arg, []byte("="))
	switch file := string(key) == "file"; {
	case assigned && file && !ends && b != ':':
	case assigned && file:
		f.settle(w, b, isInline(bytes.TrimSuffix(value, []byte(":"))))
	case ends || assigned || b == ':':
		f.settle(w, b, passesKey(string(bytes.TrimSuffix(key, []byte(":")))))
	}
}

// passesKey reports whether a key of OSC 1337 is one that passes.
func passesKey(key string) bool {
	switch key {
	case "setmark", "currentdir", "remotehost", "shellintegrationversion", "cursorshape", "unicodeversion", "reportcellsize", "setbadgeformat", "setuservar":
		return true
	}
	return false
}

// isInline reports whether a file is to be shown where it comes, and not saved.
func isInline(args []byte) bool {
	inline := 0
	for arg := range bytes.SplitSeq(args, []byte(";")) {
		key, value, _ := bytes.Cut(arg, []byte("="))
		if string(bytes.TrimSpace(key)) != "inline" {
			continue
		}
		if inline++; string(value) != "1" {
			return false
		}
	}
	return inline == 1
}

// inAPC takes what follows the introducer, up to where it is known what it is: a picture
// of kitty's protocol, the bytes of which come along.
func (f *Filter) inAPC(w *piece, b byte) {
	ends := b == esc || b == can || b == sub || b >= 0x80
	if !ends && (b < 0x20 || b == del) {
		return
	}
	if !ends && b != ';' {
		f.arg = append(f.arg, b)
		if f.arg[0] == 'G' {
			return
		}
	}
	f.bell = false
	switch ok := isPicture(f.arg); {
	case f.bad || !ok && (!f.eight || len(f.arg) > 0 && f.arg[0] == 'G'):
		f.discard(w, drop)
		f.dropped(w, b)
	case b == esc:
		f.next(escaped)
	case b == can || b == sub:
		f.done(w)
	default:
		f.leave(w, b)
	}
}

// isPicture reports whether the keys of an APC are those of a picture that comes along
// with it, and is not read from a file, or from memory, by the terminal.
func isPicture(keys []byte) bool {
	rest, ok := bytes.CutPrefix(keys, []byte("G"))
	if !ok {
		return false
	}
	for pair := range bytes.SplitSeq(rest, []byte(",")) {
		key, value, _ := bytes.Cut(pair, []byte("="))
		if string(bytes.TrimSpace(key)) == "t" && string(bytes.TrimSpace(value)) != "d" {
			return false
		}
	}
	return true
}

// countDigit counts a digit, but for zeros in front, which mean nothing.
func (f *Filter) countDigit(b byte) {
	if b == '0' && f.n == 1 && f.head[0] == '0' {
		return
	}
	if f.n == 1 && f.head[0] == '0' {
		f.n = 0
	}
	if b == ' ' || b == '+' {
		return
	}
	f.count(b)
}

// leave lets a string pass whose beginning, up to b, was read. What is inside cannot
// change what it is any more.
func (f *Filter) leave(w *piece, b byte) {
	if f.bad {
		f.discard(w, drop)
		return
	}
	f.release(w)
	f.state = ground
	if b >= 0x80 {
		f.text(w, b)
	}
}

// inDCS takes what follows the introducer, up to where it is known what it is.
func (f *Filter) inDCS(w *piece, b byte) {
	const tmux = "tmux;"
	switch {
	case b < 0x20 || b >= del:
		f.cut(w, b)
	case f.n > 0 && f.head[0] == 't' || f.n == 0 && b == 't':
		f.count(b)
		switch got := string(f.head[:f.n]); {
		case got == tmux:
			f.enter(w)
		case got != tmux[:len(got)]:
			f.bell = false
			f.discard(w, drop)
		}
	case b >= 0x40:
		f.bell = false
		if f.bad || !passesDCS(f.head[:f.n], b) {
			f.discard(w, drop)
			return
		}
		f.leave(w, b)
	default:
		f.count(b)
	}
}

// passesDCS reports whether a DCS is one that passes: a sixel picture, a question for what
// the terminal can do, output that is held together.
func passesDCS(params []byte, final byte) bool {
	switch final {
	case 'q':
		return string(params) == "+" || len(bytes.Trim(params, "0123456789;")) == 0
	case 's':
		return len(params) == 2 && params[0] == '='
	}
	return false
}
