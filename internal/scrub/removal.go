package scrub

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/text"
	"ken/internal/view"
)

// A Removal is what goes with a conversation that is deleted, and what stays.
type Removal struct {
	view.Deleted
	Path string // of its file

	plan *Plan // its words, to look for
}

// PlanRemoval returns what deleting the conversation in the file at path would do. Nothing
// is changed. One that is open in another process is an error (session.ErrHeld).
func (e *Eraser) PlanRemoval(ctx context.Context, path string) (*Removal, error) {
	if err := e.Sessions.Free(path); err != nil {
		return nil, err
	}
	t, err := e.Sessions.Load(path)
	if err != nil {
		return nil, err
	}
	r := &Removal{
		Deleted: view.Deleted{
			Session: t.Header.Session, Name: t.Name, Title: t.Title(), Turns: len(t.Turns()), Taught: []view.ErasedMemory{}, Copies: []string{},
		},
		Path: path, plan: &Plan{known: make(map[string]bool)},
	}
	for _, turn := range t.Turns() {
		for _, said := range []string{turn.Content, turn.Typed()} {
			if said != session.Gone && !text.Short(text.Normal(said)) {
				e.addText(r.plan, said)
			}
		}
	}
	s, _ := e.Engine.State(ctx) // what cannot be read is reported by whoever reads it
	if s == nil {
		s = memory.Fold()
	}
	for _, it := range s.Items() {
		if it.Record.Source != nil && it.Record.Source.Session == r.Session {
			r.Taught = append(r.Taught, view.ErasedMemory{Ref: it.ID.String(), Text: it.Record.Content})
		}
	}
	r.plan.leave(s)
	for other, h := range e.Sessions.Newest() {
		if h.CopiedFrom == r.Session && other != path {
			r.Copies = append(r.Copies, stem(other))
		}
	}
	return r, jsonl.Replaceable(path)
}

// leave settles the texts of a plan but for short ones and those that something remembered
// says, which stays: neither proves anything.
func (p *Plan) leave(s *memory.State) {
	p.settle()
	said := make(map[string]bool)
	for _, it := range s.Items() {
		if !p.long.In(it.Record.Content) {
			continue
		}
		n := text.Normal(it.Record.Content)
		for _, t := range p.texts {
			said[t] = said[t] || strings.Contains(n, t)
		}
	}
	p.texts = slices.DeleteFunc(p.texts, func(t string) bool { return said[t] || text.Short(t) })
	p.settle()
}

// Remove deletes the conversation: first what was derived from it and what was typed in
// it, then its file, then what another process may have derived meanwhile. As long as
// anything is left to do the file is there, and deleting it again does the rest. It is for a person: the error of
// another is an *engine.Refused.
func (e *Eraser) Remove(ctx context.Context, r *Removal) error {
	return e.Engine.Erase(ctx, func(ctx context.Context) error {
		for _, step := range []func() error{
			func() error { return e.Sessions.Free(r.Path) },
			func() error { return e.scrubTyped(ctx, r.plan) },
			func() error {
				return e.dropDaily(ctx, r.plan, func(id string, _, _ int) bool { return id == r.Session })
			},
			func() error { return e.scrubDerived(ctx, r.plan) },
			func() error { return e.scrubRemains(ctx, r.plan) },
			func() error { return e.Sessions.Remove(r.Path) },
			func() error { return e.scrubVectors(ctx) },
			func() error { return e.scrubIndex(ctx) },
			func() error { return e.syncNames(ctx, r.plan) },
		} {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	})
}

// VerifyRemoval reads every file and notes where words of the conversation still stand:
// in others, and in what is remembered.
func (e *Eraser) VerifyRemoval(ctx context.Context, r *Removal) error {
	proof, err := e.Verify(ctx, r.plan)
	r.Proof = &proof
	return err
}

// Keeps reports whether a file may have words of a conversation that was deleted: another
// conversation, the memory with its replicas and proposals, and who the person is.
func (e *Eraser) Keeps(path string) bool {
	switch path {
	case e.Paths.Memory(), e.Queue.Path, e.Paths.Profile(), e.Paths.Audit(), e.Paths.ConfigFile():
		return true
	}
	if e.Project != "" && strings.HasPrefix(path, e.Project) {
		return true
	}
	dir := filepath.Dir(path)
	return dir == e.Sessions.Path || dir == e.Sessions.Imports().Path || dir == e.Paths.Peers()
}
