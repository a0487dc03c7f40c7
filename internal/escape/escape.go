package escape

// Control characters that begin, end or abandon a sequence.
const (
	BEL = 0x07
	CAN = 0x18
	SUB = 0x1a
	ESC = 0x1b
	DEL = 0x7f
	ST  = 0x9c // string terminator
)

// A State is where in a sequence a stream is. The zero State is Text.
type State uint8

// The states.
const (
	Text         State = iota // in no sequence
	Escape                    // behind ESC
	Intermediate              // behind ESC and a character that says what kind the next one is
	CSI                       // in a control sequence: parameters up to a final character
	OSC                       // in an operating system command: up to ST or BEL
	DCS                       // in a device control string, and in the next three: up to ST
	SOS
	PM
	APC
)

// ended is the bit of a string's State behind an ESC in it, which with a backslash
// is its end.
const ended State = 0x80

// String returns the kind of string that s is in, also behind an ESC there; Text if it is in
// none.
func (s State) String() State {
	if k := s &^ ended; k >= OSC {
		return k
	}
	return Text
}

// Ending reports whether s is behind an ESC in a string.
func (s State) Ending() bool { return s&ended != 0 }

// An Event is what a character is to the sequence that was open before it.
type Event uint8

// The events.
const (
	Plain     Event = iota // it belongs to none
	Opened                 // it introduces one, or says what the one is that ESC began
	Inside                 // it belongs to it, and it goes on
	Ended                  // it is the last of it
	Cancelled              // it is CAN or SUB, which abandon any sequence
	Stray                  // it has no place in it
)

// Next takes the next character and says where the stream is then. On Stray it stays
// where it was, and behind an ESC in a string at that ESC: terminals differ in whether such a character ends the sequence, is
// done and forgotten, or is overlooked, so whoever reads decides. ESC is Stray in all but
// Text and strings, and so is a character of C1 in all but Text.
func (s State) Next(r rune) (State, Event) {
	if r == CAN || r == SUB {
		if s == Text {
			return Text, Plain
		}
		return Text, Cancelled
	}
	switch s {
	case Text:
		return Introduced(r)
	case Escape, Intermediate:
		return s.Escaped(r)
	case CSI:
		return Control(r)
	}
	if s.Ending() {
		if r == '\\' {
			return Text, Ended
		}
		return Escape.Escaped(r) // ESC began something else, which ends the string
	}
	switch {
	case r == ST, r == BEL && s == OSC:
		return Text, Ended
	case r == ESC:
		return s | ended, Inside
	case r >= 0x80 && r < 0xa0:
		return s, Stray
	}
	return s, Inside
}

// Introduced is Next for a character of the text.
func Introduced(r rune) (State, Event) {
	switch r {
	case ESC:
		return Escape, Opened
	case 0x90:
		return DCS, Opened
	case 0x98:
		return SOS, Opened
	case 0x9b:
		return CSI, Opened
	case 0x9d:
		return OSC, Opened
	case 0x9e:
		return PM, Opened
	case 0x9f:
		return APC, Opened
	}
	return Text, Plain
}

// Control is Next for a character of a control sequence; what cancels it is Stray too.
func Control(r rune) (State, Event) {
	switch {
	case r < 0x20 || r >= DEL:
		return CSI, Stray
	case r < 0x40:
		return CSI, Inside
	}
	return Text, Ended
}

// Escaped is Next for what follows ESC, with s Escape or Intermediate; what cancels it is
// Stray too.
func (s State) Escaped(r rune) (State, Event) {
	switch {
	case r >= 0x20 && r < 0x30:
		return Intermediate, Inside
	case r < 0x30 || r >= DEL:
		return s, Stray
	}
	if s == Escape {
		switch r {
		case 'P':
			return DCS, Opened
		case 'X':
			return SOS, Opened
		case '[':
			return CSI, Opened
		case ']':
			return OSC, Opened
		case '^':
			return PM, Opened
		case '_':
			return APC, Opened
		}
	}
	return Text, Ended
}
