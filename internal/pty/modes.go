package pty

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"ken/internal/escape"
)

// Control characters that modes looks at.
const (
	shiftOut = 0x0e
	shiftIn  = 0x0f
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
	{8, true, false},  // keys repeat
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
	{66, false, false}, // the keypad sends application sequences
	{69, false, false}, // lines have margins
	{1047, false, true},
	{1049, false, true},
	{2004, false, false}, // bracketed paste
	{2026, false, false}, // output is held back
	{2031, false, false}, // reports of the colour scheme
	{2048, false, false}, // reports of the size
}

// modes follows what an output switches on in a terminal, so that it can be
// switched off when the command is gone. The zero modes is a terminal as a
// prompt needs it. Sequences that are longer than any mode's are ignored.
type modes struct {
	changed uint32 // bit i: privates[i] is not as usual
	state   escape.State
	kind    byte     // the first intermediate behind ESC
	params  [64]byte // of the sequence that is being read
	n       int      // of params; more than there is room for: too long

	keypad   bool // sends application sequences
	graphics bool // G0 is the line drawing set
	second   bool // G1 is
	shifted  bool // SO
	bytes    bool // no UTF-8
	style    bool // the cursor has a shape
	region   bool // a scroll region is set
	insert   bool
	locked   bool // the keyboard
	newline  bool // LF begins a line, and Enter sends two characters
	colored  bool
	otherKey bool // modifyOtherKeys of xterm
	link     bool
	palette  uint8  // bit i: colors[i] is not as usual
	titles   int    // that were laid on the stack
	kitty    [2]int // keyboard flags that were pushed, on the usual screen and on the other
	forced   [2]bool
}

// maxStack is the most that is taken from a stack of the terminal: no program lays
// more on it, and one that does is not worth the time.
const maxStack = 16

// colors are the numbers by which a program sets colours; a hundred more sets them
// back.
var colors = [...]int{4, 10, 11, 12, 17, 19}

// feed takes the next output. Those parts of it that are not on the alternate
// screen go to keep.
func (m *modes) feed(p []byte, keep func([]byte)) {
	from := 0
	for i := 0; i < len(p); {
		if m.state == escape.Text {
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
	at := bytes.IndexByte(p, escape.ESC)
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
	r := rune(b)
	if b >= utf8.RuneSelf {
		r = utf8.RuneError // half of a character, and none of C1
	}
	was := m.state
	to, what := was.Next(r)
	switch {
	case was == escape.OSC && (b == escape.ESC || what == escape.Ended):
		m.endOSC()
	case was == escape.CSI && what == escape.Ended:
		if m.n <= len(m.params) {
			m.apply(string(m.params[:m.n]), b)
		}
	}
	switch {
	case b == escape.ESC:
		to = escape.Escape // whatever was before it is over
	case what == escape.Cancelled: // what it was does not matter any more
	case was == escape.Text:
		m.shifted = b == shiftOut
	case was == escape.Escape:
		to = m.escaped(b, to)
	case was == escape.Intermediate:
		m.designate(b)
		to = escape.Text
	case what == escape.Inside:
		if m.n < len(m.params) {
			m.params[m.n] = b
		}
		m.n++
	}
	m.state = to
}

// escaped takes what follows ESC, which brings the output to a state.
func (m *modes) escaped(b byte, to escape.State) escape.State {
	switch to {
	case escape.CSI, escape.OSC:
		m.n = 0
		return to
	case escape.Intermediate:
		m.kind = b
		return to
	}
	switch b {
	case '=', '>':
		m.keypad = b == '='
	case 'c': // full reset
		*m = modes{titles: m.titles}
	}
	return escape.Text // what other strings say switches nothing, and is read as text
}

// designate takes what follows ESC and an intermediate character.
func (m *modes) designate(b byte) {
	switch m.kind {
	case '(':
		m.graphics = b == '0'
	case ')':
		m.second = b == '0'
	case '%':
		m.bytes = b == '@'
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
		m.color(params)
	case final == 'q' && strings.HasSuffix(params, " "):
		m.style = strings.Trim(params, "0 ") != ""
	case final == 'r' && !isPrivate:
		m.region = strings.Trim(params, ";") != ""
	case final == 'h' || final == 'l':
		for number := range strings.SplitSeq(params, ";") {
			switch number {
			case "2":
				m.locked = final == 'h'
			case "4":
				m.insert = final == 'h'
			case "20":
				m.newline = final == 'h'
			}
		}
	case final == 't':
		m.stack(params)
	case params == "!" && final == 'p': // soft reset, which leaves screen, mouse and keyboard
		m.set("1", false)
		m.set("6", false)
		m.set("7", true)
		m.set("25", true)
		m.keypad, m.graphics, m.second, m.shifted, m.region, m.insert, m.locked, m.colored = false, false, false, false, false, false, false, false
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

// color takes SGR. The numbers behind 38, 48 and 58 name a colour.
func (m *modes) color(params string) {
	for p := range strings.SplitSeq(params, ";") {
		if p == "38" || p == "48" || p == "58" {
			m.colored = true
			return
		}
		m.colored = strings.Trim(p, "0") != ""
	}
}

// stack takes what lays titles on the terminal's stack and takes them from it.
func (m *modes) stack(params string) {
	first, _, _ := strings.Cut(params, ";")
	switch first {
	case "22":
		m.titles = min(m.titles+1, maxStack)
	case "23":
		m.titles = max(m.titles-1, 0)
	}
}

// endOSC takes a whole one, or as much of it as there is room for.
func (m *modes) endOSC() {
	name, value, _ := strings.Cut(string(m.params[:min(m.n, len(m.params))]), ";")
	number, err := strconv.Atoi(name)
	if err != nil {
		return
	}
	if number == 8 {
		_, target, _ := strings.Cut(value, ";")
		m.link = target != ""
		return
	}
	for i, c := range colors {
		switch {
		case number == c && !strings.HasSuffix(value, "?"):
			m.palette |= 1 << i
		case number == c+100 && value == "":
			m.palette &^= 1 << i
		}
	}
}

// keyboard takes a sequence of the kitty keyboard protocol, of which each screen has a
// stack of its own.
func (m *modes) keyboard(params string) {
	at := 0
	if m.alternate() {
		at = 1
	}
	switch {
	case strings.HasPrefix(params, ">"):
		m.kitty[at] = min(m.kitty[at]+1, maxStack)
	case strings.HasPrefix(params, "<"):
		n, err := strconv.Atoi(params[1:])
		if err != nil {
			n = 1
		}
		m.kitty[at] = max(m.kitty[at]-n, 0)
	case strings.HasPrefix(params, "="):
		flags, _, _ := strings.Cut(params[1:], ";")
		m.forced[at] = strings.Trim(flags, "0") != ""
	}
}

// undo returns what brings the terminal back to what a prompt needs; "" if it
// is.
func (m *modes) undo() string {
	var b strings.Builder
	if m.state != escape.Text {
		b.WriteByte(escape.CAN) // a sequence that was cut off would take the rest with it
	}
	write := func(on bool, seq string) {
		if on {
			b.WriteString(seq)
		}
	}
	write(m.bytes, "\x1b%G")
	write(m.region, "\x1b7\x1b[r\x1b8") // setting it moves the cursor
	write(m.insert, "\x1b[4l")
	write(m.locked, "\x1b[2l")
	write(m.newline, "\x1b[20l")
	write(m.keypad, "\x1b>")
	write(m.graphics, "\x1b(B")
	write(m.second, "\x1b)B")
	write(m.shifted, "\x0f")
	write(m.style, "\x1b[0 q")
	write(m.otherKey, "\x1b[>4m")
	if m.alternate() {
		m.undoKeyboard(&b, 1)
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
	m.undoKeyboard(&b, 0)
	write(m.link, "\x1b]8;;\x1b\\")
	for i, c := range colors {
		if m.palette&(1<<i) != 0 {
			fmt.Fprintf(&b, "\x1b]%d\x1b\\", c+100)
		}
	}
	b.WriteString(strings.Repeat("\x1b[23;0t", m.titles))
	write(m.colored, "\x1b[0m")
	return b.String()
}

// whatever is undo for a time that is not known yet: whatever is being read then, and
// whatever colour the text has.
func (m *modes) whatever() string {
	then := *m
	then.state, then.colored = escape.Escape, true
	return then.undo()
}

func (m *modes) undoKeyboard(b *strings.Builder, screen int) {
	if n := m.kitty[screen]; n > 0 {
		fmt.Fprintf(b, "\x1b[<%du", n)
	}
	if m.forced[screen] {
		b.WriteString("\x1b[=0u")
	}
}
