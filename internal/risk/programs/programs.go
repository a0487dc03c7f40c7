package programs

import (
	"ken/internal/risk/programs/call"
)

// Look says what is known of c.
func Look(c call.Call) call.Result {
	l := &call.Look{Call: c}
	l.Name, l.Project = call.NameOf(c.Words[0].Text)
	if l.Project != "" {
		l.Caution("runs a program of its own directory", c.Words[0])
	}
	special, found := special(l)
	switch {
	case special:
	case byTable(l):
	case !found:
		l.Caution("a program of which nothing is known", c.Words[0])
	}
	return l.Result
}
