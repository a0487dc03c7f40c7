package markdown

import "ken/internal/color"

type style = color.Style

const (
	plain     = color.Plain
	bold      = color.Bold
	italic    = color.Italic
	underline = color.Underline
	strike    = color.Strike

	spanStyle    = color.Cyan // of code in a line
	linkStyle    = color.Underline
	quietStyle   = color.Dim // bars, rules and fences
	commandStyle = color.Bold | color.Yellow
)

// codeStyle is what a piece of code looks like.
func codeStyle(k codeKind) style {
	switch k {
	case codeComment:
		return color.Dim
	case codeString, codeAdded:
		return color.Green
	case codeNumber, codePlace:
		return color.Cyan
	case codeKeyword:
		return color.Magenta
	case codeRemoved:
		return color.Red
	case codeFile:
		return color.Bold
	}
	return plain
}

// A span is text in one style.
type span struct {
	text string
	is   style
}
