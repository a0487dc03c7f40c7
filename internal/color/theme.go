package color

import "strings"

// A Theme is what a terminal's background is like, as far as the choice of colours goes.
type Theme uint8

const (
	// Unknown is a background of which nothing is known; the colours are those that can
	// be read on most.
	Unknown Theme = iota
	// Dark is a dark background, or a black one.
	Dark
	// Light is a light background, or a white one.
	Light
	// None has attributes (bold, dim, underlined) and no colour.
	None
)

// ThemeOf returns the theme of the settings (ui.theme): "dark", "light", "none", or
// "auto", for which the variable COLORFGBG says what the background is; terminals that
// set it write "foreground;background", numbers of their sixteen colours.
func ThemeOf(setting, colorfgbg string) Theme {
	switch setting {
	case "dark":
		return Dark
	case "light":
		return Light
	case "none":
		return None
	}
	_, background, _ := strings.Cut(colorfgbg, ";")
	if i := strings.LastIndexByte(background, ';'); i >= 0 { // rxvt has a third between them
		background = background[i+1:]
	}
	switch background {
	case "0", "1", "2", "3", "4", "5", "6", "8":
		return Dark
	case "7", "9", "10", "11", "12", "13", "14", "15":
		return Light
	}
	return Unknown
}

// Fit returns a style as it is drawn in a theme: on a light background yellow and cyan,
// which can hardly be read there, are magenta and blue.
func (t Theme) Fit(s Style) Style {
	switch {
	case t == None:
		return s &^ colours
	case t == Light && s&colours == Yellow:
		return s.With(Magenta)
	case t == Light && s&colours == Cyan:
		return s.With(Blue)
	}
	return s
}

// Text is a text in a style, and plain behind it. The text has no styles of its own.
func (t Theme) Text(s Style, text string) string {
	s = t.Fit(s)
	if s == Plain || text == "" {
		return text
	}
	return string(Plain.AppendSwitch(nil, s)) + text + string(s.AppendSwitch(nil, Plain))
}
