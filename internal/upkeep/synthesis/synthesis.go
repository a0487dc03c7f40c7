package synthesis

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ken/internal/app"
	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/redact"
	"ken/internal/review"
	"ken/internal/synth"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// Bounds of one run.
const (
	// MostClusters is how many groups are looked at.
	MostClusters = 12
	// MostMaterial is how much of them a model is shown, in bytes.
	MostMaterial = 24 << 10
	// mostItem is the longest memory that is grouped, in bytes: a longer one is a document.
	mostItem = 1 << 10
)

// A Model answers to material under instructions.
type Model interface {
	Ask(ctx context.Context, instructions, material string) (string, error)
}

// A Look is what there is to make patterns of, at one moment.
type Look struct {
	Clusters []synth.Cluster // what is not known of them yet; at most MostClusters
	// Known counts groups that a pattern stands for already, or that a person refused.
	Known int
	basis synth.Basis
	mask  func(string) string
}

// A Rejected is a draft that was refused.
type Rejected struct {
	Content string // masked, on one line, not more than a person reads
	Why     string
}

// A Found is what a model's answer came to.
type Found struct {
	Patterns []synth.Pattern
	Rejected []Rejected
}

// Read reads what there is to make patterns of where the person stands. It writes nothing.
func Read(ctx context.Context, h *app.View) (*Look, error) {
	if _, err := h.Settings.Read(); err != nil {
		return nil, err
	}
	s, err := h.Memory.State(ctx)
	if err != nil {
		return nil, err
	}
	known, err := knownOf(ctx, h, s)
	if err != nil {
		return nil, err
	}
	l := &Look{mask: h.Keys.MaskText, basis: synth.Basis{Known: known}}
	l.basis.Others = inForce(h, s)
	var fluid, made []memory.Item
	for _, it := range l.basis.Others {
		rec := it.Record
		switch {
		case rec.Kind == memory.KindRule:
			l.basis.Rules = append(l.basis.Rules, it)
		case len(rec.Content) > mostItem || redact.Contains(rec.Content) || h.Keys.MaskText(rec.Content) != rec.Content:
		case rec.Kind.Is(memory.Derived):
			made = append(made, it)
		case it.Phase == memory.PhaseFluid || rec.Kind == memory.KindLesson:
			fluid = append(fluid, it)
		}
	}
	for _, c := range append(synth.Clusters(fluid), synth.Clusters(made)...) {
		for _, it := range c.Items {
			c.Depth = max(c.Depth, 1+synth.Depth(s, it))
		}
		switch {
		case covered(c, known):
			l.Known++
		case len(l.Clusters) < MostClusters:
			l.Clusters = append(l.Clusters, c)
		}
	}
	l.basis.Clusters = l.Clusters
	return l, nil
}

// inForce is what holds where the person stands.
func inForce(h *app.View, s *memory.State) (list []memory.Item) {
	here, off := h.Here.Place(), h.Here.Off()
	for _, it := range asof.Items(s, h.Now()) {
		if scope := string(cmp.Or(it.Record.Scope, memory.ScopeUser)); it.Active() && here.Holds(scope) && !off(scope) {
			list = append(list, it)
		}
	}
	return list
}

// knownOf is what was said before: patterns, conventions and rules that stand, and what
// waits or was refused.
func knownOf(ctx context.Context, h *app.View, s *memory.State) ([]synth.Known, error) {
	e, err := h.Memory.Engine()
	if err != nil {
		return nil, err
	}
	pending, refused, _, err := e.Queue(ctx)
	if err != nil {
		return nil, err
	}
	var list []synth.Known
	for _, it := range s.Items() {
		switch it.Record.Kind {
		case memory.KindPattern, memory.KindConvention, memory.KindRule:
			list = append(list, synth.Known{Ref: "#" + it.Ref(), Content: it.Record.Content, Cites: synth.Cited(s, it)})
		}
	}
	for i, w := range slices.Concat(pending, refused) {
		if rec := &w.Proposal.Record; rec.States() {
			list = append(list, synth.Known{Ref: w.Ref, Content: rec.Content, Cites: rec.Details().Cites, Refused: i >= len(pending)})
		}
	}
	return list, nil
}

// covered reports whether all of a group is cited already by one thing that is known.
func covered(c synth.Cluster, known []synth.Known) bool {
	return slices.ContainsFunc(known, func(k synth.Known) bool {
		return !slices.ContainsFunc(c.Items, func(it memory.Item) bool { return !slices.Contains(k.Cites, it.ID) })
	})
}

// Ask has a model say what the groups come to, and checks it. Nothing is written. Errors:
// those of the model, and *synth.AnswerError for an answer that is none.
func (l *Look) Ask(ctx context.Context, m Model) (Found, error) {
	material, n := synth.Material(l.Clusters, MostMaterial, l.mask)
	if l.basis.Clusters = l.Clusters[:n]; n == 0 {
		return Found{}, nil
	}
	answer, err := m.Ask(ctx, synth.Prompt(), material)
	if err != nil {
		return Found{}, err
	}
	drafts, err := synth.Read(answer)
	if err != nil {
		return Found{}, err
	}
	var f Found
	for _, d := range drafts {
		p, err := synth.Check(d, l.basis)
		if err != nil {
			f.reject(l.mask(d.Content), err)
			continue
		}
		l.basis.Known = append(l.basis.Known, synth.Known{Ref: "said twice", Content: p.Content})
		f.Patterns = append(f.Patterns, p)
	}
	return f, nil
}

const mostShown = 120

func (f *Found) reject(content string, why error) {
	f.Rejected = append(f.Rejected, Rejected{view.Excerpt(termsafe.Line(content), mostShown), why.Error()})
}

// Impact is what a pattern would touch.
func (l *Look) Impact(p synth.Pattern) synth.Impact { return synth.ImpactOf(p, l.basis.Rules) }

// Propose puts patterns into the queue, by one append, and gives what became of each. What
// they cite, what waits and what was refused is looked at again first, since a model takes
// its time: what does not hold any more goes to f.Rejected. Errors: those of
// engine.Writer.Propose; then nothing was written.
func (l *Look) Propose(ctx context.Context, h *app.View, f *Found) ([]engine.Proposed, error) {
	s, err := h.Memory.State(ctx)
	if err != nil {
		return nil, err
	}
	known, err := knownOf(ctx, h, s)
	if err != nil {
		return nil, err
	}
	fresh := l.basis
	fresh.Known, fresh.Others = known, inForce(h, s)
	fresh.Stands = func(it memory.Item) bool {
		now, status := s.Get(it.ID)
		return status == memory.StatusActive && now.Record.Content == it.Record.Content && now.Origin == it.Origin && now.Active()
	}
	f.Patterns = slices.DeleteFunc(f.Patterns, func(p synth.Pattern) bool {
		_, err := synth.Check(synth.Draft{Kind: string(p.Kind), Content: p.Content, Cites: p.Refs()}, fresh)
		if err != nil {
			f.reject(l.mask(p.Content), err)
		}
		return err != nil
	})
	if len(f.Patterns) == 0 {
		return nil, nil
	}
	w, err := h.Memory.Writer()
	if err != nil {
		return nil, err
	}
	list := make([]engine.Suggestion, len(f.Patterns))
	for i, p := range f.Patterns {
		list[i] = engine.Suggestion{Record: record(p, p.Origin), Why: evidence(p, l.Impact(p))}
	}
	return w.Propose(ctx, list...)
}

// record is the line that a pattern would be.
func record(p synth.Pattern, origin memory.Origin) memory.Record {
	d := &memory.Detail{}
	for _, it := range p.Cites {
		d.Cites = append(d.Cites, it.ID)
	}
	if len(p.Beyond) > 0 {
		d.Subtype = memory.Generalisation
	}
	return memory.Record{Kind: p.Kind, Content: p.Content, Scope: p.Scope, Origin: origin, Detail: d}
}

// evidence says for a person what a pattern rests on, and what it touches.
func evidence(p synth.Pattern, m synth.Impact) string {
	from := view.Count(synth.Sources(p.Cites), "source")
	text := fmt.Sprintf("%s of %s come to it (#%s)", view.Memories(len(p.Cites)), from, strings.Join(p.Refs(), " #"))
	if p.Depth > 1 {
		text += fmt.Sprintf("; made of patterns, depth %d", p.Depth)
	}
	if len(p.Beyond) > 0 {
		text = view.Generalisation(p.Refs()) + " (beyond their words: " + strings.Join(p.Beyond, ", ") + "); " + text
	}
	return text + "; impact: " + m.String()
}

// Own puts what the person wrote themselves of a group into the memory, as a pattern that
// cites it: their word, by the queue like all else, so that one undo takes it back. Errors:
// those of Propose and Decide; known is why nothing was written, if it is known.
func (l *Look) Own(ctx context.Context, h *app.View, c synth.Cluster, content string) (r engine.Receipt, known string, err error) {
	w, err := h.Memory.Writer()
	if err != nil {
		return r, "", err
	}
	p := synth.Pattern{Kind: memory.KindPattern, Content: content, Scope: c.Scope, Cites: c.Items, Depth: c.Depth}
	out, err := w.Propose(ctx, engine.Suggestion{Record: record(p, memory.OriginUser), Why: evidence(p, l.Impact(p))})
	if err != nil {
		return r, "", err
	}
	if !out[0].New && out[0].Known != string(review.Pending) {
		return r, out[0].Known, nil
	}
	r, err = w.Decide(ctx, fmt.Sprintf("p%d", out[0].ID), engine.Answer{Verdict: review.Yes})
	return r, "", err
}
