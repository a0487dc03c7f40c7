package markdown

// A style is how text looks: attributes as bits, and at most one colour.
type style uint16

const (
	bold style = 1 << iota
	dim
	italic
	underline
	strike

	attributes = iota // how many bits the attributes take

	plain style = 0
)

// The colours are the terminal's own, so that they fit its background; blue is
// not among them, since on a black one it can hardly be read.
const (
	red style = (iota + 1) << attributes
	green
	yellow
	magenta
	cyan

	colours = 7 << attributes
)

// What things look like. code and the like replace a colour, the rest adds to
// what is around it.
const (
	spanStyle    = cyan // of code in a line
	linkStyle    = underline
	quietStyle   = dim // bars, rules and fences
	commandStyle = bold | yellow
)

// with is s with t added, the colour of t winning.
func (s style) with(t style) style {
	if t&colours != 0 {
		s &^= colours
	}
	return s | t
}

// escape is what every style switch begins with.
const escape = "\x1b["

// appendSwitch appends the sequence that leads from one style to another.
func appendSwitch(dst []byte, from, to style) []byte {
	if from == to {
		return dst
	}
	dst = append(dst, escape...)
	sep := byte(0)
	code := func(c ...byte) {
		if sep != 0 {
			dst = append(dst, sep)
		}
		dst, sep = append(dst, c...), ';'
	}
	if from != plain {
		code('0')
	}
	for i, c := range [attributes]byte{'1', '2', '3', '4', '9'} {
		if to&(1<<i) != 0 {
			code(c)
		}
	}
	switch to & colours {
	case red:
		code('3', '1')
	case green:
		code('3', '2')
	case yellow:
		code('3', '3')
	case magenta:
		code('3', '5')
	case cyan:
		code('3', '6')
	}
	return append(dst, 'm')
}

// A span is text in one style.
type span struct {
	text string
	is   style
}
