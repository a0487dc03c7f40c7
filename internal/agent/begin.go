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
	// Shape says how else the conversation is to be; nil: as it is.
	Shape func(*Options)
}

// Begin makes a conversation over a memory and the session that records it. A session
// that cannot be kept is warned of, and the conversation goes on without.
func Begin(a *app.View, b SessionOptions) (*Conversation, *session.Writer, error) {
	rec, live, scope, err := a.Conversations.Record(b.Recording)
	if err != nil {
		return nil, nil, err
	}
	conv := Over(a, b, rec)
	conv.Continue(live, rec, scope)
	return conv, rec, nil
}

// Over returns a conversation over a memory that rec records, without a turn yet.
func Over(a *app.View, b SessionOptions, rec Recorder) *Conversation {
	cfg, _ := a.Settings.InForce()
	o := Options{
		Record: rec, Mask: a.Keys.MaskText, Now: a.Now, Seal: a.Keys.Sums, MaxTurns: cfg.Context.MaxTurns, Warn: a.Warn,
		OutputTokens: cfg.Context.OutputMaxTokens,
	}
	moment := b.Moment
	if moment == nil {
		moment = a.Moment
	}
	o.Background = func(ctx context.Context) (recall.Choice, error) {
		if !a.Meetings.Sends() { // it may be switched off and on
			return recall.Choice{}, nil
		}
		return moment().Background(ctx)
	}
	o.Activate = func(ctx context.Context, w app.ActivationQuery, block recall.Choice) (recall.Activation, error) {
		if !a.Meetings.Sends() {
			return recall.Activation{}, nil
		}
		return app.Activate(ctx, moment(), w, block)
	}
	o.Hidden = func(ctx context.Context, rec Recorder) func(session.Turn) bool {
		if w, ok := rec.(*session.Writer); ok {
			return moment().Hides(ctx, w.Header())
		}
		return nil
	}
	o.Stranger = func() bool {
		_, unknown := a.Models().Unconfirmed()
		return unknown
	}
	o.Environment = func(known bool) []string { return a.Here.Environment(known).Lines() }
	o.Docs = func(ctx context.Context) []Doc {
		used := a.RepoLogs.UsedDocs(ctx)
		list := make([]Doc, len(used))
		for i, d := range used {
			list[i] = Doc{Path: d.File.Path, Text: string(d.File.Text), Bytes: d.Bytes, SHA256: d.File.SHA256}
		}
		return list
	}
	o.Skills = ofHome{a}
	if b.Shape != nil {
		b.Shape(&o)
	}
	return New(o)
}

// ofHome are the skills of a home.
type ofHome struct{ home *app.View }

// Index implements Skills.
func (h ofHome) Index(context.Context) string { return h.home.Skills.Index() }

// For implements Skills.
func (h ofHome) For(_ context.Context, question string, named []string, askedFor, most int) []Skill {
	cfg, _ := h.home.Settings.InForce()
	if most < 0 || most > cfg.Skills.MaxChars {
		most = cfg.Skills.MaxChars
	}
	var list []Skill
	for _, u := range h.home.Skills.For(question, named, askedFor, most) {
		list = append(list, Skill(u))
	}
	return list
}
