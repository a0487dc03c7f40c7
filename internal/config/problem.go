package config

import (
	"errors"
	"fmt"
	"strings"
)

// A Problem is one thing that is wrong with a file of settings.
type Problem struct {
	File     string
	Row, Col int    // from 1, columns in characters; 0 if the problem is the file's as a whole
	Key      string // the whole key ("memory.path"); "" if the line is not even TOML
	What     string // what is wrong, what is allowed, and what may have been meant
}

// String returns the one line that a person is shown.
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Row > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Row, p.Col)
	}
	b.WriteString(": ")
	if p.Key != "" {
		b.WriteString(p.Key)
		b.WriteString(": ")
	}
	b.WriteString(p.What)
	return b.String()
}

// An Error is all that is wrong with a file of settings, in the order of the
// file. It has one Problem at least.
type Error struct {
	Problems []Problem
}

// Error gives one line for each problem, the first first.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// ProblemsOf returns what err says is wrong with a text of settings; nil if it says something else.
func ProblemsOf(err error) []Problem {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Problems
	}
	return nil
}
