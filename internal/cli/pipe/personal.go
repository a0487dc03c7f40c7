package pipe

import (
	"ken/internal/cli/term"
	"ken/internal/regular"
	"ken/internal/termsafe"
	"ken/internal/working"
)

// mostText is the longest text of the person that a port gives, in bytes.
const mostText = 64 << 10

// personal is the text that a name of the person's namespace stands for, masked: who
// they are, or what they were lately busy with; false if it is no such name. A text
// that is not there, or has expired, is "".
func personal(a *term.Run, name string) (text string, ok bool) {
	switch name {
	case "user/profile":
		b, _ := regular.Read(a.Paths().Profile(), mostText) // none is no text
		text = string(b)
	case "user/working":
		m, err := (working.File{Path: a.Paths().Working(), Now: a.Env.Now}).Read()
		if err == nil {
			text = m.Text
		}
	default:
		return "", false
	}
	return a.Home.Keys.MaskText(termsafe.Clean(text)), true
}

// placed reports whether the call said where it is for.
func (p args) placed() bool { return len(p.Activation) > 0 }

// filters reports whether what is of other profiles is left out: recall puts it behind
// instead, unless it was asked to leave it out.
func (p args) filters(exact bool) bool { return exact || !p.boosts || p.OnlyOf }
