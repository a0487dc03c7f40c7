package learned

import (
	"ken/internal/engine"
	"ken/internal/learn/extract"
	"ken/internal/memory"
	"ken/internal/trust"
	"ken/internal/view"
)

// A Waiting is something that waits for a person, or was refused. A stating one has the
// fields of a view.Item that it would have, one that changes others its Targets.
type Waiting struct {
	Ref        string         `json:"ref"` // p and the number of a proposal, or the name of a line of a repository
	Of         string         `json:"of"`  // what kind of thing is proposed
	Kind       string         `json:"kind"`
	Content    string         `json:"content,omitempty"`
	Scope      string         `json:"scope,omitempty"`
	Key        string         `json:"key,omitempty"`
	Tags       []string       `json:"tags,omitempty"`
	Targets    []string       `json:"targets,omitempty"` // of a change
	Origin     string         `json:"origin"`
	Source     *memory.Source `json:"source,omitempty"`
	Why        string         `json:"why,omitempty"`
	Flags      []string       `json:"flags,omitempty"` // what to look at twice; of a text that others wrote
	TS         string         `json:"ts,omitempty"`
	Importance int            `json:"importance,omitempty"`
	File       string         `json:"file,omitempty"`  // of the repository, in which it stands
	Trust      string         `json:"trust,omitempty"` // "trust:<digest>" of the bytes that were let in
	Pinned     bool           `json:"pinned,omitempty"`
	Supersedes []string       `json:"supersedes,omitempty"`
	Cites      []string       `json:"cites,omitempty"` // what it rests on
	// Generalises says that it goes beyond the words of what it cites.
	Generalises bool   `json:"generalises,omitempty"`
	Expires     string `json:"expires,omitempty"`
	ValidFrom   string `json:"valid_from,omitempty"`
	ValidTo     string `json:"valid_to,omitempty"`
}

// A Weighed is a Waiting with what a yes to it comes to. It is for the person at the command
// line: no other program is told which commands they ran.
type Weighed struct {
	Waiting
	Rules *Difference `json:"rules,omitempty"` // what a yes makes of the rules; none: it changes no rule
}

// A WaitingList is what waits for a person, as a server gives it.
type WaitingList struct {
	Waiting []Waiting `json:"waiting"` // never null
}

// WaitingOf is w for a program.
func WaitingOf(w engine.Waiting) Waiting {
	p := w.Proposal
	r := &p.Record
	v := Waiting{
		Ref: w.Ref, Of: string(p.Of), Kind: string(r.Kind), Content: r.Content, Key: r.Key, Tags: r.Tags,
		Origin: origin(r), Source: p.Source, Why: p.Why, TS: view.Stamp(p.Time), Importance: r.Importance,
		File: file(w), Trust: w.By,
	}
	d := r.Details()
	v.Pinned, v.Expires, v.ValidFrom, v.ValidTo = r.Pinned, view.Stamp(d.Expires), view.Stamp(d.ValidFrom), view.Stamp(d.ValidTo)
	v.Flags, v.Generalises = suspect(w), r.Generalises()
	for _, id := range d.Supersedes {
		v.Supersedes = append(v.Supersedes, id.String())
	}
	for _, id := range d.Cites {
		v.Cites = append(v.Cites, id.String())
	}
	if r.States() {
		v.Scope = scope(r)
	}
	for _, id := range targets(r) {
		v.Targets = append(v.Targets, id.String())
	}
	return v
}

// suspect is what to look at twice in what others wrote.
func suspect(w engine.Waiting) []string {
	r := &w.Proposal.Record
	if r.Origin == "" || r.Origin == memory.OriginUser {
		return nil
	}
	return extract.Suspect(r.Content)
}

// file is the file of the repository in which a line waits; "" if it does not.
func file(w engine.Waiting) string {
	if w.Log == "" {
		return ""
	}
	return trust.PathOf(w.Log)
}

func origin(r *memory.Record) string {
	if r.Origin == "" {
		return string(memory.OriginUser)
	}
	return string(r.Origin)
}

func scope(r *memory.Record) string {
	if r.Scope == "" {
		return string(memory.ScopeUser)
	}
	return string(r.Scope)
}

func targets(r *memory.Record) []memory.ID {
	if r.States() {
		return nil
	}
	var ids []memory.ID
	if !r.Target.IsZero() {
		ids = append(ids, r.Target)
	}
	return append(ids, r.Details().Targets...)
}
