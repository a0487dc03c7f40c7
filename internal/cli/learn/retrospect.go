package learn

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/skills"
	"ken/internal/cli/term"
	"ken/internal/dates"
	"ken/internal/fault"
	"ken/internal/learn"
	"ken/internal/learn/lessons"
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/session/feedback"
	"ken/internal/view/learned"
)

// flags are those of `retrospect`.
type flags struct {
	synthesize, dryRun, asJSON, here bool
	since, session                   string
}

// retrospectCommand is the command `retrospect`.
func retrospectCommand(a *term.Run) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "retrospect",
		Short: "look back: what was used, what went wrong, what to do otherwise",
		Long: `Retrospect looks back at your conversations since the last time, or the last seven days: which
memories were used and in which answers, what of what was offered you took, changed, refused,
asked for again or took back, and what failed. Then it leads through what could be learned, the
most worth first: commands that you corrected, wishes that repeat, memories that come to a
pattern, rules, skills, and what you said and nobody kept. Of each it says where it goes. y
keeps it, e lets you change it, n refuses it, Enter goes on; what you do not answer waits.
Then it asks what is wrong or stale, and what is to be done otherwise. Ctrl-C ends it; what you
said by then is kept. At the end it says what was kept, and how each is taken back.

What you type is in force at once. A model is asked only if you say so, and what it suggests is
kept only after your yes. No lesson lowers what ken asks about. Without a terminal the look back
is printed, and nothing is written. Each part stands alone as well: ken rules propose, ken skills
evolve, ken retrospect --synthesize, ken extract.

With --synthesize it looks for recent memories and lessons that speak of one matter, and a model says what they come to:
patterns and conventions that cite them. Each is checked word by word against what it cites; what passes waits for your yes.
Without a model the groups are shown, and what they come to is yours to write.`,
		Example: "  ken retrospect\n  ken retrospect --since 30d --json\n  ken retrospect --session trip\n" +
			"  ken retrospect --synthesize --dry-run",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Memory: "what was learned", Spares: true}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.synthesize {
				return synthesize(cmd.Context(), a, f)
			}
			return look(cmd.Context(), a, f)
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.synthesize, "synthesize", false, "propose what recent lessons and memories come to")
	fl.BoolVar(&f.dryRun, "dry-run", false, "ask and write nothing; with --synthesize: only show what would be proposed")
	fl.BoolVar(&f.asJSON, "json", false, "print what was seen, or is proposed, as one JSON object, and ask nothing")
	fl.BoolVar(&f.here, "here", false, "keep what you say for this repository, or this directory where there is none")
	fl.StringVar(&f.since, "since", "", "look back to `WHEN`: 30d, 2026-03-05, yesterday")
	fl.StringVar(&f.session, "session", "", "look at the conversation `NAME` alone")
	return cmd
}

// week is how far a first look goes back.
const week = 7 * 24 * time.Hour

func look(ctx context.Context, a *term.Run, f flags) error {
	if _, err := a.Home.Settings.Read(); err != nil {
		return err
	}
	s, err := a.Home.Memory.State(ctx)
	if err != nil {
		return err
	}
	since, err := sinceWhen(f.since, s, a.Env.Now())
	if err != nil {
		return err
	}
	list, err := conversations(ctx, a, f, since)
	if err != nil {
		return err
	}
	if f.session != "" && f.since == "" {
		since = time.Time{}
	}
	seen := lessons.Of(since, list...)
	if f.session != "" && f.since == "" && len(list) == 1 {
		seen.Since = list[0].Header.Started
	}
	v := learned.LookOf(seen, saying(s), a.Home.Keys.MaskText)
	found, err := findAll(ctx, a, f, learn.Query{Conversations: list, Seen: seen})
	if err != nil {
		return err
	}
	v.Findings, v.Drafts, v.More = []learned.Finding{}, []learned.Draft{}, found.More
	for _, g := range found.Findings {
		v.Findings = append(v.Findings, g.Shown(a.Env.Now()))
		if drafted(&g) {
			v.Drafts = append(v.Drafts, learned.Draft{Kind: string(g.Kind), Text: g.Text, Why: g.Why, Scope: string(g.Scope), Ref: g.Ref})
		}
	}
	if f.asJSON {
		return a.PrintJSON(v)
	}
	if err := a.Println(v.Text(a.Screen.Width())); err != nil {
		return err
	}
	asks := !f.dryRun && a.Person.Present() && !a.Lane.In() && !a.Home.Settings.ReadOnly() && term.IsTerminal(a.Env.Stderr)
	if !asks {
		return a.Println(v.Learned(a.Screen.Width()))
	}
	g := &guided{a: a, seen: v, found: found}
	if f.here {
		g.scope = memory.Scope(a.Home.Here.Place().Scope())
	}
	return g.run(ctx)
}

// findAll asks every finder; of one conversation that alone is looked at.
func findAll(ctx context.Context, a *term.Run, f flags, q learn.Query) (learn.Found, error) {
	if q.Alone = f.session != ""; !q.Alone {
		live, err := skills.InForce(a)
		if err != nil {
			return learn.Found{}, err
		}
		q.Live = live
	}
	if f.since != "" {
		q.Since = q.Seen.Since
	}
	return learn.Find(ctx, a.Home, q)
}

// drafted reports whether a finding is what conversations show of commands, or such a lesson that waits.
func drafted(g *learn.Finding) bool {
	return g.Sort == learn.Correction || g.Sort == learn.Rule && !g.Queues()
}

// sinceWhen is the time from which on a look goes: what the person says, else that of the last look, else a week ago.
func sinceWhen(said string, s *memory.State, now time.Time) (time.Time, error) {
	if said == "" {
		for _, it := range s.Items() {
			if it.Record.Kind == memory.KindRetro && it.Record.Key == recordKey && !it.Record.Time.IsZero() && !it.Record.Time.After(now) {
				return it.Record.Time, nil
			}
		}
		return now.Add(-week), nil
	}
	if life, err := dates.Life(said); err == nil {
		return now.Add(-life), nil
	}
	span, err := dates.Parse(said, now)
	if err != nil {
		return time.Time{}, fault.Usagef("--since %s: want a time like 30d, 8w or 12h, or a date", said)
	}
	return span.From, nil
}

// conversations are those to look at, the oldest first. Of what taught a memory that was forgotten nothing is seen.
func conversations(ctx context.Context, a *term.Run, f flags, since time.Time) ([]*session.Transcript, error) {
	dir := a.Home.Conversations.Dir()
	var list []*session.Transcript
	if f.session != "" {
		path, err := dir.Find(f.session)
		if err != nil {
			return nil, fault.New(fault.NotFound, err).WithHint("see what there is: %s", fault.Command("sessions list"))
		}
		t, err := dir.Load(path)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	} else {
		n := 0
		for t, err := range feedback.Newest(ctx, dir, since, 0) {
			if n++; n == feedback.Most {
				a.Status("no more than the %d conversations that began last are looked at", n)
			}
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if err != nil {
				a.Warn(err)
				continue
			}
			list = append([]*session.Transcript{t}, list...)
		}
	}
	moment := a.Home.Moment()
	for _, t := range list {
		hides := moment.Hides(ctx, t.Header)
		for i, e := range t.Entries {
			if hides != nil && e.Turn != nil && hides(*e.Turn) {
				turn := *e.Turn
				turn.Content = ""
				t.Entries[i].Turn = &turn
			}
		}
	}
	return list, nil
}

// saying gives the kind and the text of a memory that is in force.
func saying(s *memory.State) func(ref string) (kind, text string) {
	return func(ref string) (kind, text string) {
		id, err := memory.ParseID(ref)
		if err != nil {
			return "", ""
		}
		it, status := s.Get(id)
		if status != memory.StatusActive {
			return "", ""
		}
		return string(it.Record.Kind), it.Record.Content
	}
}
