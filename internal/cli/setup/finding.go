package setup

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ken/internal/termsafe"
	"ken/internal/view"
)

// The levels of findings.
const (
	levelError   = "error"   // something cannot be read, or cannot be written to
	levelWarning = "warning" // something does not count as it stands there, or is unsafe
	levelNote    = "note"    // good to know; nothing is lost or in doubt
)

// A finding is something about a file that a person should know.
type finding struct {
	Level  string `json:"level"`
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`   // from 1; left out for the file as a whole
	Column int    `json:"column,omitempty"` // from 1, in characters
	What   string `json:"what"`
	Hint   string `json:"hint,omitempty"` // what to do
}

// text is the finding for a person, with the path as short writes it.
func (f finding) text(short func(string) string) string {
	where := termsafe.Line(short(f.File))
	if f.Line > 0 {
		where += ":" + strconv.Itoa(f.Line)
	}
	if f.Column > 0 {
		where += ":" + strconv.Itoa(f.Column)
	}
	return where + ": " + f.Level + ": " + termsafe.Line(f.What)
}

// A report is what a check found.
type report struct {
	Files    int       `json:"files"`
	Lines    int       `json:"lines"` // that hold something
	Errors   int       `json:"errors"`
	Warnings int       `json:"warnings"`
	Notes    int       `json:"notes"`
	Findings []finding `json:"findings"` // never null
}

// tell adds a finding.
func (r *report) tell(f finding) {
	switch f.Level {
	case levelError:
		r.Errors++
	case levelWarning:
		r.Warnings++
	default:
		r.Notes++
	}
	r.Findings = append(r.Findings, f)
}

// hints lists what to do, each step once.
func (r *report) hints() []string {
	var hints []string
	for _, f := range r.Findings {
		if f.Hint != "" && !slices.Contains(hints, f.Hint) {
			hints = append(hints, f.Hint)
		}
	}
	return hints
}

// summary is the last line for a person.
func (r *report) summary() string {
	var found []string
	for _, c := range []struct {
		n    int
		noun string
	}{{r.Errors, "error"}, {r.Warnings, "warning"}, {r.Notes, "note"}} {
		if c.n > 0 {
			found = append(found, count(c.n, c.noun))
		}
	}
	if found == nil {
		found = []string{"nothing wrong"}
	}
	return fmt.Sprintf("checked %s, %s: %s", count(r.Files, "file"), count(r.Lines, "line"), strings.Join(found, ", "))
}

// count is view.Count with commas between thousands.
func count(n int, noun string) string {
	digits, word, _ := strings.Cut(view.Count(n, noun), " ")
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits + " " + word
}

// within writes a path below dir as seen from there, and any other by short.
func within(dir string, short func(string) string) func(string) string {
	return func(path string) string {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) && rel != "." {
			return rel
		}
		return short(path)
	}
}
