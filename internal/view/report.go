package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ken/internal/termsafe"
)

// The levels of findings.
const (
	LevelError   = "error"   // something cannot be read, or cannot be written to
	LevelWarning = "warning" // something does not count as it stands there, or is unsafe
	LevelNote    = "note"    // good to know; nothing is lost or in doubt
)

// A Finding is something about a file that a person should know.
type Finding struct {
	Level  string `json:"level"`
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`   // from 1; left out for the file as a whole
	Column int    `json:"column,omitempty"` // from 1, in characters
	What   string `json:"what"`
	Hint   string `json:"hint,omitempty"` // what to do
}

// Text returns the finding for a person, with the path as short writes it.
func (f Finding) Text(short func(string) string) string {
	where := termsafe.Line(short(f.File))
	if f.Line > 0 {
		where += ":" + strconv.Itoa(f.Line)
	}
	if f.Column > 0 {
		where += ":" + strconv.Itoa(f.Column)
	}
	return where + ": " + f.Level + ": " + termsafe.Line(f.What)
}

// A Report is what a check found.
type Report struct {
	Files    int       `json:"files"`
	Lines    int       `json:"lines"` // that hold something
	Errors   int       `json:"errors"`
	Warnings int       `json:"warnings"`
	Notes    int       `json:"notes"`
	Findings []Finding `json:"findings"` // never null
}

// Add adds a finding.
func (r *Report) Add(f Finding) {
	f.What = cutHalves(f.What)
	switch f.Level {
	case LevelError:
		r.Errors++
	case LevelWarning:
		r.Warnings++
	default:
		r.Notes++
	}
	r.Findings = append(r.Findings, f)
}

// cutHalves leaves of a long word that was cut short ("sk-a1b2c3...") only its
// beginning: half a secret is one that no mask knows.
func cutHalves(s string) string {
	const long, kept = 16, 8
	for at := 0; ; {
		i := strings.Index(s[at:], "...")
		if i < 0 {
			return s
		}
		end := at + i
		start := strings.LastIndexAny(s[:end], " \t\"") + 1
		if end-start > long && !strings.HasPrefix(s[start:], "[masked:") {
			word := []rune(s[start:end])
			cut := string(word[:min(len(word), kept)])
			s, end = s[:start]+cut+s[end:], start+len(cut)
		}
		at = end + len("...")
	}
}

// Hints lists what to do, each step once.
func (r *Report) Hints() []string {
	var hints []string
	for _, f := range r.Findings {
		if f.Hint != "" && !slices.Contains(hints, f.Hint) {
			hints = append(hints, f.Hint)
		}
	}
	return hints
}

// Summary returns the last line for a person.
func (r *Report) Summary() string {
	var found []string
	for _, c := range []struct {
		n    int
		noun string
	}{{r.Errors, "error"}, {r.Warnings, "warning"}, {r.Notes, "note"}} {
		if c.n > 0 {
			found = append(found, Thousands(c.n, c.noun))
		}
	}
	if found == nil {
		found = []string{"nothing wrong"}
	}
	return fmt.Sprintf("checked %s, %s: %s", Thousands(r.Files, "file"), Thousands(r.Lines, "line"), strings.Join(found, ", "))
}

// Thousands is Count with commas between thousands.
func Thousands(n int, noun string) string {
	digits, word, _ := strings.Cut(Count(n, noun), " ")
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits + " " + word
}

// The levels of signs.
const (
	SignOK   = "ok"   // as it should be
	SignGap  = "gap"  // something is missing or broken
	SignNote = "note" // good to know
)

// A Sign is one thing of the set-up that was looked at.
type Sign struct {
	Level string `json:"level"` // SignOK, SignGap or SignNote
	What  string `json:"what"`
	Says  string `json:"says"`
	Next  string `json:"next,omitempty"` // what closes the gap
}

// Signs writes signs for a person, one line each.
func Signs(signs []Sign) string {
	wide := 0
	for _, s := range signs {
		wide = max(wide, len(s.What))
	}
	lines := make([]string, len(signs))
	for i, s := range signs {
		lines[i] = fmt.Sprintf("%-4s  %-*s  %s", s.Level, wide, s.What, termsafe.Line(s.Says))
		if s.Next != "" {
			lines[i] += " - " + termsafe.Line(s.Next)
		}
	}
	return strings.Join(lines, "\n")
}
