package choose

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"ken/internal/escape"
	"ken/internal/termsafe"
)

// what a key asks for.
type what uint8

const (
	typed what = iota // text
	take
	leave
	up
	down
	pageUp
	pageDown
	first
	last
	scope
	rub
	rubWord
	rubAll
)

// A key is one that was pressed, or a block that was pasted, as text.
type key struct {
	what what
	text string
	sent []byte // what the terminal sent for it
}

// The marks around what is pasted.
const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

const (
	// maxFilter is how much is looked for: in characters, and of a pasted block in bytes.
	maxFilter = 200
	// maxHeld is how much of a block without an end is held, in bytes: a block of any size comes
	// in pieces, each of which is looked through for its end.
	maxHeld = 16 << 10
)

// A decoder makes keys of what a terminal sends, in pieces as it sends them.
type decoder struct{ held []byte }

// pending reports whether what came may be the beginning of something.
func (d *decoder) pending() bool { return len(d.held) > 0 }

// pasting reports whether a block has begun and not ended.
func (d *decoder) pasting() bool { return bytes.HasPrefix(d.held, []byte(pasteBegin)) }

// flush is the key that was meant by what has no end. Of a block it is what came of it.
func (d *decoder) flush() []key {
	if d.pasting() {
		return d.feed([]byte(pasteEnd))
	}
	held := d.held
	d.held = nil
	if len(held) == 1 && held[0] == escape.ESC {
		return []key{{what: leave}}
	}
	return nil
}

// feed takes the next bytes. An Enter that is not the last of them was pasted: it is a
// blank.
func (d *decoder) feed(b []byte) []key {
	d.held = append(d.held, b...)
	var keys []key
	for len(d.held) > 0 {
		n, k, ok := next(d.held)
		if n == 0 {
			break
		}
		k.sent = d.held[:n:n]
		d.held = d.held[n:]
		if ok && k.what == take && len(d.held) > 0 {
			k.what, k.text = typed, " "
		}
		if ok {
			keys = append(keys, k)
		}
	}
	if cut := len(d.held) - maxHeld; cut > 0 && d.pasting() { // what is looked for stands at its beginning
		begin := d.held[: maxHeld/2 : maxHeld/2]
		d.held = append(begin, d.held[maxHeld/2+cut:]...)
	}
	return keys
}

// next is the first key in b and how many bytes it takes: 0 if its end is missing. ok is
// false for what does nothing.
func next(b []byte) (n int, k key, ok bool) {
	switch c := b[0]; {
	case c == escape.ESC:
		return sequence(b)
	case c < ' ' || c == 0x7f:
		k, ok = control(c)
		return 1, k, ok
	}
	if !utf8.FullRune(b) {
		return 0, key{}, false
	}
	r, n := utf8.DecodeRune(b)
	s := string(r)
	if r == utf8.RuneError || termsafe.Line("a"+s+"a") != "a"+s+"a" {
		return n, key{}, false
	}
	return n, key{what: typed, text: s}, true
}

// control is what a control character asks for.
func control(c byte) (key, bool) {
	switch c {
	case '\r', '\n':
		return key{what: take}, true
	case 3, 4, 7: // Ctrl-C, Ctrl-D, Ctrl-G
		return key{what: leave}, true
	case 14: // Ctrl-N
		return key{what: down}, true
	case 16: // Ctrl-P
		return key{what: up}, true
	case '\t':
		return key{what: scope}, true
	case 8, 0x7f:
		return key{what: rub}, true
	case 23: // Ctrl-W
		return key{what: rubWord}, true
	case 21: // Ctrl-U
		return key{what: rubAll}, true
	}
	return key{}, false
}

// sequence is next for what begins with ESC.
func sequence(b []byte) (n int, k key, ok bool) {
	if bytes.HasPrefix(b, []byte(pasteBegin)) {
		block := b[len(pasteBegin):]
		end := bytes.Index(block, []byte(pasteEnd))
		if end < 0 {
			return 0, key{}, false
		}
		n = len(pasteBegin) + end + len(pasteEnd)
		text := termsafe.Line(strings.ToValidUTF8(string(block[:end]), ""))
		for len(text) > maxFilter {
			_, size := utf8.DecodeLastRuneInString(text[:maxFilter+1])
			text = text[:maxFilter+1-size]
		}
		return n, key{what: typed, text: text}, text != ""
	}
	if len(b) == 1 {
		return 0, key{}, false
	}
	switch b[1] {
	case '[':
		state := escape.CSI
		for i, c := range b[2:] {
			to, event := state.Next(rune(c))
			if event == escape.Ended {
				k, ok = arrow(string(b[2 : i+3]))
				return i + 3, k, ok
			}
			if event == escape.Stray || event == escape.Cancelled {
				return i + 2, key{}, false
			}
			state = to
		}
		return 0, key{}, false
	case 'O':
		if len(b) < 3 {
			return 0, key{}, false
		}
		k, ok = arrow(string(b[2]))
		return 3, k, ok
	case escape.ESC: // the key itself, twice
		return 2, key{what: leave}, true
	case 8, 0x7f:
		return 2, key{what: rubWord}, true
	}
	return 2, key{}, false // Alt with something
}

// arrow is what a key of the cursor block asks for, by what follows ESC [ or ESC O.
func arrow(seq string) (key, bool) {
	switch seq {
	case "A":
		return key{what: up}, true
	case "B":
		return key{what: down}, true
	case "H", "1~", "7~":
		return key{what: first}, true
	case "F", "4~", "8~":
		return key{what: last}, true
	case "5~":
		return key{what: pageUp}, true
	case "6~":
		return key{what: pageDown}, true
	case "Z":
		return key{what: scope}, true
	}
	return key{}, false
}
