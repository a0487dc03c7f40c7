package pty

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// Control characters that modes looks at.
const (
	shiftOut = 0x0e
	shiftIn  = 0x0f
	cancel   = 0x18
	subst    = 0x1a
	esc      = 0x1b
)

// A private mode of a terminal (DECSET) that a command may leave in a state in
// which the next prompt cannot be used.
type private struct {
	number int
	usual  bool // the state that a prompt needs
	screen bool // it switches to the alternate screen
}

var privates = [...]private{
	{1, false, false}, // cursor keys send application sequences
	{5, false, false}, // reverse video
	{6, false, false}, // lines count from the scroll region
	{7, true, false},  // lines wrap
	{9, false, false}, // mouse, and so on to 1016
	{1000, false, false},
	{1001, false, false},
	{1002, false, false},
	{1003, false, false},
	{1004, false, false}, // focus
	{1005, false, false},
	{1006, false, false},
	{1015, false, false},
	{1016, false, false},
	{25, true, false}, // the cursor is shown
	{47, false, true},
	{1047, false, true},
	{1049, false, true},
	{2004, false, false}, // bracketed paste
	{2026, false, false}, // output is held back
	{2031, false, false}, // reports of the colour scheme
}

// modes follows what an output switches on in a terminal, so that it can be
// switched off when the command is gone. The zero modes is a terminal as a
// prompt needs it. Sequences that are longer than any mode's are ignored.
type modes struct {
	changed uint32 // bit i: privates[i] is not as usual
	state   parse
	params  [64]byte // of the CSI that is being read
	n       int      // of params; more than there is room for: too long

	keypad   bool // sends application sequences
	graphics bool // G0 is the line drawing set
	shifted  bool // SO
	style    bool // the cursor has a shape
	region   bool // a scroll region is set
	insert   bool
	colored  bool
	otherKey bool // modifyOtherKeys of xterm
	kitty    int  // keyboard flags that were pushed
}

type parse uint8

const (
	ground parse = iota
	escape
	charset
	sequence
)

// feed takes the next output. Those parts of it that are not on the alternate
// screen go to keep.
func (m *modes) feed(p []byte, keep func([]byte)) {
	from := 0
	for i := 0; i < len(p); {
		if m.state == ground {
			n := m.special(p[i:])
			if n < 0 {
				break
			}
			i += n
		}
		was := m.alternate()
		m.step(p[i])
		i++
		if now := m.alternate(); now != was {
			if now {
				keep(p[from:i])
			}
			from = i
		}
	}
	if !m.alternate() && from < len(p) {
		keep(p[from:])
	}
}

// special finds the next byte that may begin a change; -1 if there is none.
func (m *modes) special(p []byte) int {
	at := bytes.IndexByte(p, esc)
	if at >= 0 {
		p = p[:at]
	}
	shift := byte(shiftOut)
	if m.shifted {
		shift = shiftIn
	}
	if n := bytes.IndexByte(p, shift); n >= 0 {
		return n
	}
	return at
}

// alternate reports whether the alternate screen is shown.
func (m *modes) alternate() bool {
	for i, p := range privates {
		if p.screen && m.changed&(1<<i) != 0 {
			return true
		}
	}
	return false
}

func (m *modes) step(b byte) {
	switch {
	case b == esc:
		m.state = escape
	case b == cancel || b == subst:
		m.state = ground
	case m.state == ground:
		m.shifted = b == shiftOut
	case m.state == escape:
		m.escaped(b)
	case m.state == charset:
		m.graphics, m.state = b == '0', ground
	case b >= 0x40 && b < 0x7f:
		m.state = ground
		if m.n <= len(m.params) {
			m.apply(string(m.params[:m.n]), b)
		}
	case b >= 0x20 && b < 0x40:
		if m.n < len(m.params) {
			m.params[m.n] = b
		}
		m.n++
	}
}

// escaped takes what follows ESC.
func (m *modes) escaped(b byte) {
	m.state = ground
	switch b {
	case '[':
		m.state, m.n = sequence, 0
	case '(':
		m.state = charset
	case '=', '>':
		m.keypad = b == '='
	case 'c': // full reset
		*m = modes{}
	}
}

// apply takes a whole control sequence.
func (m *modes) apply(params string, final byte) {
	rest, isPrivate := strings.CutPrefix(params, "?")
	switch {
	case isPrivate && (final == 'h' || final == 'l'):
		for number := range strings.SplitSeq(rest, ";") {
			m.set(number, final == 'h')
		}
	case final == 'u':
		m.keyboard(params)
	case final == 'm' && strings.HasPrefix(params, ">4"):
		value, ok := strings.CutPrefix(params, ">4;")
		m.otherKey = ok && value != "0"
	case final == 'm' && (params == "" || params[0] != '>' && params[0] != '?'):
		last := params[strings.LastIndexByte(params, ';')+1:]
		m.colored = strings.Trim(last, "0") != ""
	case final == 'q' && strings.HasSuffix(params, " "):
		m.style = strings.Trim(params, "0 ") != ""
	case final == 'r' && !isPrivate:
		m.region = strings.Trim(params, ";") != ""
	case params == "4" && (final == 'h' || final == 'l'):
		m.insert = final == 'h'
	case params == "!" && final == 'p': // soft reset, which leaves screen, mouse and keyboard
		m.set("1", false)
		m.set("6", false)
		m.set("7", true)
		m.set("25", true)
		m.keypad, m.graphics, m.shifted, m.region, m.insert, m.colored = false, false, false, false, false, false
	}
}

func (m *modes) set(number string, on bool) {
	for i, p := range privates {
		if strconv.Itoa(p.number) != number {
			continue
		}
		m.changed &^= 1 << i
		if on != p.usual {
			m.changed |= 1 << i
		}
	}
}

// keyboard takes a sequence of the kitty keyboard protocol.
func (m *modes) keyboard(params string) {
	switch {
	case strings.HasPrefix(params, ">"):
		m.kitty++
	case strings.HasPrefix(params, "<"):
		n, err := strconv.Atoi(params[1:])
		if err != nil {
			n = 1
		}
		m.kitty = max(m.kitty-n, 0)
	}
}

// undo returns what brings the terminal back to what a prompt needs; "" if it
// is.
func (m *modes) undo() string {
	var b strings.Builder
	if m.state != ground {
		b.WriteByte(cancel) // a sequence that was cut off would take the rest with it
	}
	for _, u := range []struct {
		on  bool
		seq string
	}{
		{m.region, "\x1b7\x1b[r\x1b8"}, // setting it moves the cursor
		{m.insert, "\x1b[4l"},
		{m.keypad, "\x1b>"},
		{m.graphics, "\x1b(B"},
		{m.shifted, "\x0f"},
		{m.style, "\x1b[0 q"},
		{m.otherKey, "\x1b[>4m"},
	} {
		if u.on {
			b.WriteString(u.seq)
		}
	}
	if m.kitty > 0 {
		fmt.Fprintf(&b, "\x1b[<%du", m.kitty)
	}
	for i, p := range privates {
		if m.changed&(1<<i) == 0 {
			continue
		}
		final := 'l'
		if p.usual {
			final = 'h'
		}
		fmt.Fprintf(&b, "\x1b[?%d%c", p.number, final)
	}
	if m.colored {
		b.WriteString("\x1b[0m")
	}
	return b.String()
}
