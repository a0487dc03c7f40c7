package color

// A Style is how text looks on a terminal: attributes as bits, and at most one
// colour.
type Style uint16

// The attributes. Plain is none of them, and no colour.
const (
	Bold Style = 1 << iota
	Dim
	Italic
	Underline
	Strike

	attributes = iota // how many there are

	Plain Style = 0
)

// The colours are the terminal's own sixteen, so that its theme decides how they look.
// Blue is for light backgrounds: on a black one it can hardly be read.
const (
	Red Style = (iota + 1) << attributes
	Green
	Yellow
	Magenta
	Cyan
	Blue

	colours = 7 << attributes
)

// With is s with t added, the colour of t winning.
func (s Style) With(t Style) Style {
	if t&colours != 0 {
		s &^= colours
	}
	return s | t
}

// AppendSwitch appends to dst the control sequence (SGR) that leads a terminal
// from style s to style to; nothing, if that is the same.
func (s Style) AppendSwitch(dst []byte, to Style) []byte {
	if s == to {
		return dst
	}
	dst = append(dst, "\x1b["...)
	sep := false
	code := func(c ...byte) {
		if sep {
			dst = append(dst, ';')
		}
		dst, sep = append(dst, c...), true
	}
	if s != Plain {
		code('0')
	}
	for i, c := range [attributes]byte{'1', '2', '3', '4', '9'} {
		if to&(1<<i) != 0 {
			code(c)
		}
	}
	switch to & colours {
	case Red:
		code('3', '1')
	case Green:
		code('3', '2')
	case Yellow:
		code('3', '3')
	case Magenta:
		code('3', '5')
	case Cyan:
		code('3', '6')
	case Blue:
		code('3', '4')
	}
	return append(dst, 'm')
}
