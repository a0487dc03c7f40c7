package view

import (
	"fmt"
	"strings"
)

// Imported is what an import of other programs' files came to.
type Imported struct {
	Sessions int           `json:"sessions"`        // that the turns belong to
	Added    int           `json:"added"`           // turns that were not there
	Changed  int           `json:"changed"`         // turns that were there with another text
	Same     int           `json:"same"`            // turns that were there
	Proposed int           `json:"proposed"`        // memories that wait for a yes now
	Known    int           `json:"known"`           // those that wait, were decided on or are remembered already
	Left     int           `json:"left_out"`        // parts of files that could not be read
	Bad      []ImportGap   `json:"bad"`             // the first of them; never null
	Files    []string      `json:"files"`           // that were read; never null
	Other    int           `json:"other_files"`     // files of directories that hold nothing that is known
	Would    []ImportFound `json:"would,omitempty"` // the first memories, with --dry-run
	DryRun   bool          `json:"dry_run,omitempty"`
	Turns    int           `json:"-"` // that were read
}

// Text says what was done in one line; review is how the person decides on what waits, "" leaves that out.
func (d *Imported) Text(review string) string {
	var parts []string
	switch {
	case d.DryRun && d.Proposed > 0:
		parts = append(parts, "would propose "+Memories(d.Proposed))
	case d.Proposed+d.Known > 0:
		s := "proposed " + Memories(d.Proposed)
		if d.Known > 0 {
			s += fmt.Sprintf(", %d known already", d.Known)
		}
		if d.Proposed > 0 && review != "" {
			s += fmt.Sprintf(" (decide: %s)", review)
		}
		parts = append(parts, s)
	}
	if d.DryRun && (d.Turns > 0 || len(parts) == 0) {
		parts = append(parts, "would import "+Count(d.Turns, "turn"))
	} else if !d.DryRun && (d.Turns > 0 || len(parts) == 0) {
		s := fmt.Sprintf("imported %s of %s", Count(d.Added, "turn"), Count(d.Sessions, "session"))
		if d.Changed > 0 {
			s += fmt.Sprintf(", %d changed", d.Changed)
		}
		if d.Same > 0 {
			s += fmt.Sprintf(", %d already there", d.Same)
		}
		parts = append(parts, s)
	}
	if d.Other > 0 {
		parts = append(parts, Count(d.Other, "other file")+" passed over")
	}
	return strings.Join(parts, "; ")
}

// An ImportGap is a part of a file that could not be read.
type ImportGap struct {
	File   string `json:"file"`
	Line   int    `json:"line"`             // from 1
	Offset int64  `json:"offset,omitempty"` // of its first byte, where a file has one line
	Cause  string `json:"cause"`            // masked
}

// Text returns the gap for a person.
func (g ImportGap) Text() string {
	if g.Offset > 0 {
		return fmt.Sprintf("%s: line %d, byte %d: %s", g.File, g.Line, g.Offset, g.Cause)
	}
	return fmt.Sprintf("%s: line %d: %s", g.File, g.Line, g.Cause)
}

// An ImportFound is a memory that would be proposed.
type ImportFound struct {
	Kind    string `json:"kind"`
	Scope   string `json:"scope"`
	Content string `json:"content"` // masked
}

// ImportUndone is what became of an import that was taken back.
type ImportUndone struct {
	Refused  int `json:"refused"`  // suggestions that wait no more
	Kept     int `json:"kept"`     // suggestions that were decided on before
	Sessions int `json:"sessions"` // that lost the turns which the import had added
	Changed  int `json:"changed"`  // sessions that stay as they are: they were changed since
}

// Text says what was done in one line.
func (u ImportUndone) Text() string {
	parts := []string{}
	add := func(n int, noun, what string) {
		if n > 0 {
			parts = append(parts, Count(n, noun)+" "+what)
		}
	}
	add(u.Refused, "suggestion", "refused")
	add(u.Kept, "suggestion", "decided on before, and left so")
	add(u.Sessions, "session", "without what was imported")
	add(u.Changed, "session", "changed since, and left so")
	if len(parts) == 0 {
		return "nothing was there to take back"
	}
	return "took back: " + strings.Join(parts, "; ")
}
