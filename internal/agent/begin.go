package agent

import (
	"context"

	"ken/internal/app"
	"ken/internal/recall"
	"ken/internal/session"
)

// SessionOptions say how a conversation begins.
type SessionOptions struct {
	app.Recording
	// Moment is the moment of the memory that is in force: all that one question reads is
	// of it. nil: each time it is now.
	Moment func() *app.Moment
	// Options are what else it is to be; what it stands on is of the memory and its settings.
	Options Options
}

// Begin makes a conversation over a memory and the session that records it. A session
// that cannot be kept is warned of, and the conversation goes on without.
func Begin(ctx context.Context, a *app.View, b SessionOptions) (*Conversation, *session.Writer, error) {
	rec, live, scope, err := a.Conversations.Record(b.Recording)
	if err != nil {
		return nil, nil, err
	}
	conv := Over(a, b, rec)
	conv.Continue(ctx, live, rec, scope)
	return conv, rec, nil
}

// Over returns a conversation over a memory that rec records, without a turn yet.
func Over(a *app.View, b SessionOptions, rec Recorder) *Conversation {
	cfg, _ := a.Settings.InForce()
	if b.Moment == nil {
		b.Moment = a.Moment
	}
	h, o := ofView{a, b.Moment}, b.Options
	o.Record, o.Now, o.Keys, o.Voice = rec, a.Now, a.Keys, a.Voice
	o.Memory, o.Surroundings, o.Skills = h, h, h
	o.MaxTurns, o.OutputTokens = cfg.Context.MaxTurns, cfg.Context.OutputMaxTokens
	return New(o)
}

// ofView is what a conversation over a View stands on: Memory, Surroundings and Skills.
type ofView struct {
	view *app.View
	now  func() *app.Moment
}

// Background implements Memory. What is sent may be switched off and on.
func (h ofView) Background(ctx context.Context) (recall.Choice, error) {
	if !h.view.Meetings.Sends() {
		return recall.Choice{}, nil
	}
	return h.now().Background(ctx)
}

// Activate implements Memory.
func (h ofView) Activate(ctx context.Context, q app.ActivationQuery, block recall.Choice) (recall.Activation, error) {
	if !h.view.Meetings.Sends() {
		return recall.Activation{}, nil
	}
	return app.Activate(ctx, h.now(), q, block)
}

// Hides implements Memory.
func (h ofView) Hides(ctx context.Context, rec Recorder) func(session.Turn) bool {
	if w, ok := rec.(*session.Writer); ok {
		return h.now().Hides(ctx, w.Header())
	}
	return nil
}

// Environment implements Surroundings.
func (h ofView) Environment(known bool) []string { return h.view.Here.Environment(known).Lines() }

// Docs implements Surroundings.
func (h ofView) Docs(ctx context.Context) []Doc {
	used := h.view.RepoLogs.UsedDocs(ctx)
	list := make([]Doc, len(used))
	for i, d := range used {
		list[i] = Doc{Path: d.File.Path, Text: string(d.File.Text), Bytes: d.Bytes, SHA256: d.File.SHA256}
	}
	return list
}

// Stranger implements Surroundings.
func (h ofView) Stranger() bool {
	_, unknown := h.view.Models().Unconfirmed()
	return unknown
}

// Index implements Skills.
func (h ofView) Index(context.Context) string { return h.view.Skills.Index() }

// For implements Skills.
func (h ofView) For(_ context.Context, question string, named []string, askedFor, most int) []Skill {
	cfg, _ := h.view.Settings.InForce()
	if most < 0 || most > cfg.Skills.MaxChars {
		most = cfg.Skills.MaxChars
	}
	var list []Skill
	for _, u := range h.view.Skills.For(question, named, askedFor, most) {
		list = append(list, Skill(u))
	}
	return list
}
