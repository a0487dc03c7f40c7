package markdown

import "ken/internal/view"

type style = view.Style

const (
	plain     = view.Plain
	bold      = view.Bold
	italic    = view.Italic
	underline = view.Underline
	strike    = view.Strike

	spanStyle    = view.Cyan // of code in a line
	linkStyle    = view.Underline
	quietStyle   = view.Dim // bars, rules and fences
	commandStyle = view.Bold | view.Yellow
)

// codeStyle is what a piece of code looks like.
func codeStyle(k codeKind) style {
	switch k {
	case codeComment:
		return view.Dim
	case codeString, codeAdded:
		return view.Green
	case codeNumber, codePlace:
		return view.Cyan
	case codeKeyword:
		return view.Magenta
	case codeRemoved:
		return view.Red
	case codeFile:
		return view.Bold
	}
	return plain
}

// A span is text in one style.
type span struct {
	text string
	is   style
}
