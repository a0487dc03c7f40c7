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
func codeStyle(k view.CodeKind) style {
	switch k {
	case view.CodeComment:
		return view.Dim
	case view.CodeString, view.CodeAdded:
		return view.Green
	case view.CodeNumber, view.CodePlace:
		return view.Cyan
	case view.CodeKeyword:
		return view.Magenta
	case view.CodeRemoved:
		return view.Red
	case view.CodeFile:
		return view.Bold
	}
	return plain
}

// A span is text in one style.
type span struct {
	text string
	is   style
}
