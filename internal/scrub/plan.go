package scrub

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/regular"
	"ken/internal/review"
	"ken/internal/text"
)

// Plan returns what erasing want would do. Nothing is changed.
func (e *Eraser) Plan(ctx context.Context, want Want) (*Plan, error) {
	s, _ := e.Engine.State(ctx) // a replica that cannot be read is reported by whoever reads it
	if s == nil {
		s = memory.Fold()
	}
	p := &Plan{
		want: want, ids: make(map[memory.ID]bool), taught: make(map[memory.Turn]bool),
		reviews: make(map[int64]bool), known: make(map[string]bool), broken: make(map[memory.ID]bool),
		replaced: make(map[memory.ID]bool),
	}
	own := s.OwnLog()
	for _, id := range want.IDs {
		p.ids[id.From(own)] = true
	}
	for _, it := range s.Replaced(want.IDs...) {
		p.ids[it.ID], p.replaced[it.ID] = true, true
	}
	for _, t := range want.Texts {
		e.addText(p, t)
	}
	queue, err := e.Queue.Read()
	if err != nil {
		return nil, err
	}
	for {
		if err := e.gather(ctx, p, own, queue); err != nil {
			return nil, err
		}
		p.settle()
		grown, err := e.sameTexts(ctx, p, s)
		if err != nil {
			return nil, err
		}
		if !grown {
			break
		}
	}
	p.Lines += len(p.broken)
	e.listMemories(p, s)
	if err := e.receivers(p); err != nil {
		return nil, err
	}
	rare := rareWords(p, s)
	if err := e.planSessions(ctx, p, rare); err != nil {
		return nil, err
	}
	if err := e.similarItems(ctx, p, s); err != nil {
		return nil, err
	}
	sortSimilar(p)
	p.Shared = rare.list(p.Similar)
	for _, q := range queue.All() {
		if e.proposal(p, q) {
			p.Proposals++
		}
	}
	if p.Proposals > 0 {
		p.Files = append(p.Files, e.Queue.Path)
	}
	return p, e.replaceable(p.Files)
}

// lines calls do for every line of the logs that can be read, with its id as seen
// from this device, and bad for the others, if it is not nil.
func (e *Eraser) lines(ctx context.Context, own string, do func(l Log, id memory.ID, rec *memory.Record), bad func(Log, *memory.LineError) error) error {
	for _, l := range e.Logs {
		name := l.Name
		if name == "" {
			name = own
		}
		for entry, err := range l.Log.Records(ctx, "") {
			if err != nil && entry.Bad == nil {
				return fmt.Errorf("erase: %w", err)
			}
			if entry.Bad != nil && bad != nil {
				if err := bad(Log{Path: l.Path, Name: name, Foreign: l.Foreign}, entry.Bad); err != nil {
					return err
				}
			}
			if err == nil && entry.Meta == nil && entry.Record.Kind != "" {
				do(Log{Path: l.Path, Name: name, Foreign: l.Foreign}, entry.Record.ID.In(name).From(own), entry.Record)
			}
		}
	}
	return nil
}

// gather finds what the items say and where it was said.
func (e *Eraser) gather(ctx context.Context, p *Plan, own string, queue *review.Queue) error {
	p.Lines = 0
	p.Files = p.Files[:0]
	return e.lines(ctx, own, func(l Log, id memory.ID, rec *memory.Record) {
		edits := rec.Kind == memory.KindEdit && p.ids[rec.Target.In(l.Name).From(own)]
		if !edits && (rec.Kind.Changes() || !p.ids[id]) {
			return
		}
		e.addText(p, rec.Content)
		if l.Foreign {
			return
		}
		p.Lines++
		if !slices.Contains(p.Files, l.Path) {
			p.Files = append(p.Files, l.Path)
		}
		if src := rec.Source; src != nil && src.Session != "" && src.Turn > 0 {
			p.taught[memory.Turn{Session: src.Session, N: src.Turn}] = true
		}
		if rec.Review != 0 && l.Name == own {
			p.reviews[rec.Review] = true
			if q := queue.Get(rec.Review); q != nil {
				e.addText(p, q.Record.Content)
			}
		}
	}, nil)
}

// sameTexts takes the items along that say the same as one that goes: those whose
// text it is now, and those out of force that ever said it.
func (e *Eraser) sameTexts(ctx context.Context, p *Plan, s *memory.State) (grown bool, err error) {
	own := s.OwnLog()
	err = e.lines(ctx, own, func(l Log, id memory.ID, rec *memory.Record) {
		if rec.Kind == memory.KindEdit {
			id = rec.Target.In(l.Name).From(own)
		} else if rec.Kind.Changes() {
			return
		}
		if p.ids[id] || !p.known[text.Normal(rec.Content)] {
			return
		}
		it, status := s.Get(id)
		switch status {
		case memory.StatusActive, memory.StatusWaiting:
			if !p.known[text.Normal(it.Record.Content)] {
				return // it says something else by now: listed as similar
			}
		case memory.StatusUnknown, memory.StatusChange:
			return
		}
		p.ids[id], grown = true, true
	}, func(l Log, bad *memory.LineError) error {
		if l.Foreign {
			return nil
		}
		head, holds, err := p.badLine(l.Path, bad)
		if err == nil && holds {
			// Whatever log the text was stated in: a log knows the texts of its own
			// lines alone.
			name := memory.HashID(bytes.TrimSuffix(head, []byte("\r")))
			p.broken[name.In(l.Name).From(own)] = true
			if !slices.Contains(p.Files, l.Path) {
				p.Files = append(p.Files, l.Path)
			}
		}
		return err
	})
	return grown, err
}

// badLine looks into a line that cannot be read, of any length: its beginning, and
// whether one of the texts is in it.
func (p *Plan) badLine(path string, bad *memory.LineError) (head []byte, holds bool, err error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, false, fmt.Errorf("erase: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	head, err = io.ReadAll(io.NewSectionReader(f, bad.Offset, min(bad.Len, memory.MaxLine)))
	if err == nil {
		holds, err = p.within(io.NewSectionReader(f, bad.Offset, bad.Len))
	}
	if err != nil {
		return nil, false, fmt.Errorf("erase: read %s: %w", path, err)
	}
	return head, holds, nil
}

// listMemories lists what goes, in the order of the logs.
func (e *Eraser) listMemories(p *Plan, s *memory.State) {
	named := make(map[memory.ID]bool)
	for _, id := range p.want.IDs {
		named[id.From(s.OwnLog())] = true
	}
	ids := make([]memory.ID, 0, len(p.ids))
	for id := range p.ids {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, compareIDs)
	for _, id := range ids {
		it, _ := s.Get(id)
		same := !named[id] && !p.replaced[id]
		p.Memories = append(p.Memories, Memory{Ref: id.String(), Text: it.Record.Content, Same: same, Replaced: p.replaced[id]})
	}
	for _, it := range s.Items() {
		if !p.ids[it.ID] && slices.ContainsFunc(it.Record.Details().Cites, func(id memory.ID) bool { return p.ids[id.In(it.Log).From(s.OwnLog())] }) {
			p.CitedBy = append(p.CitedBy, it.Ref())
		}
	}
}

// proposal reports whether a proposal goes.
func (e *Eraser) proposal(p *Plan, q *review.Proposal) bool {
	r := q.Record
	if p.reviews[q.ID] || p.says(r.Content) || p.Takes(r.AppendJSON(nil)) || p.Takes([]byte(q.Why)) {
		return true
	}
	for _, id := range append(r.Details().Targets, r.Target) {
		if p.ids[id] {
			return true
		}
	}
	scope := r.Scope
	if scope == "" {
		scope = memory.ScopeUser
	}
	return p.want.Scope != nil && p.want.Scope(string(scope))
}

// planSessions finds the turns that go, and those that resemble a text.
func (e *Eraser) planSessions(ctx context.Context, p *Plan, rare *rareness) error {
	if p.want.KeepSessions {
		return nil
	}
	paths, err := e.sessionFiles()
	if err != nil {
		return err
	}
	like := newLikeness(p)
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		look := turnLook{plan: p, like: like, rare: rare, why: make(map[int]string)}
		found, err := LookInto(path, stem(path), Rule{Holds: p.holds, Within: p.within, Turn: look.turn})
		if err != nil {
			return fmt.Errorf("look into session %s: %w", path, err)
		}
		if found.Lines == 0 {
			continue
		}
		p.Sessions++
		p.Files = append(p.Files, path)
		for _, n := range found.Turns {
			why := look.why[n]
			if why == "" {
				why = WhySays
			}
			p.Turns = append(p.Turns, Turn{Ref: turnRef(found.Session, n), Why: why})
		}
	}
	return nil
}

// replaceable reports the first of the files that could not be replaced, before
// anything is done.
func (e *Eraser) replaceable(files []string) error {
	for _, path := range files {
		if err := jsonl.Replaceable(path); err != nil {
			return fmt.Errorf("nothing was done: %w", err)
		}
	}
	return nil
}
