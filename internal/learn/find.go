package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/app"
	"ken/internal/engine"
	"ken/internal/learn/extract"
	"ken/internal/learn/habits"
	"ken/internal/learn/lessons"
	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/risk"
	"ken/internal/session"
	"ken/internal/session/feedback"
	"ken/internal/skill"
	"ken/internal/tokens"
)

const (
	// mostOf is how many findings of one sort are shown at most, corrections apart: more is no lesson but a list.
	mostOf = 3
	// mostStated is how many conversations are read for statements, the newest.
	mostStated = 10
)

// A Query says what is looked at.
type Query struct {
	Conversations []*session.Transcript // the oldest first; what is forgotten is blank in them
	Seen          lessons.Look          // what they show
	// Since leaves out what was seen last before it, and waits nowhere; zero: nothing.
	Since time.Time
	// Alone has the conversations and what waits looked at, and nothing else.
	Alone bool
	// Live are the skills in force.
	Live []skill.Skill
}

// A Found is what was found.
type Found struct {
	Findings []Finding // the most worth first
	More     int       // that are worth less and are left out
	groups   *Groups
}

// Find asks every finder. Errors: those of the memory and its queue. That of one finder is a warning.
func Find(ctx context.Context, h *app.View, q Query) (Found, error) {
	f, err := begin(ctx, h, q)
	if err != nil {
		return Found{}, err
	}
	f.waiting()
	f.corrections()
	if !q.Alone {
		for _, find := range []func(context.Context) error{f.rules, f.habits, f.patterns, f.statements} {
			if err := find(ctx); err != nil && ctx.Err() != nil {
				return Found{}, err
			} else if err != nil {
				h.Warn(err)
			}
		}
	}
	return f.sorted(), nil
}

// A finder is a Find on its way.
type finder struct {
	queue
	home  *app.View
	q     Query
	state *memory.State
	said  map[string]bool // texts that are known, wait or were refused
	read  map[string]*session.Transcript
	found Found
}

func begin(ctx context.Context, h *app.View, query Query) (*finder, error) {
	s, err := h.Memory.State(ctx)
	if err != nil {
		return nil, err
	}
	q, err := readQueue(ctx, h)
	if err != nil {
		return nil, err
	}
	f := &finder{home: h, q: query, state: s, queue: q, said: make(map[string]bool), read: make(map[string]*session.Transcript)}
	for _, w := range q.all() {
		f.said[w.Proposal.Record.Content] = true
	}
	for _, it := range s.Items() {
		f.said[it.Record.Content] = true
	}
	for _, t := range query.Conversations {
		f.read[t.Header.Session] = t
	}
	return f, nil
}

func (f *finder) add(g Finding) {
	if g.Ref == "" && g.Last.Before(f.q.Since) {
		return
	}
	if g.Scope == memory.ScopeUser { // it is everywhere
		g.Scope = ""
	}
	mask := f.home.Keys.MaskText
	g.Text, g.Why = mask(g.Text), mask(g.Why)
	f.found.Findings = append(f.found.Findings, g)
}

// sorted puts the most worth first, and leaves out what is too much of a sort.
func (f *finder) sorted() Found {
	now, order := f.home.Now(), Sorts()
	list := f.found.Findings
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.Worth(now), a.Worth(now)), cmp.Compare(slices.Index(order, a.Sort), slices.Index(order, b.Sort)),
			strings.Compare(a.Text, b.Text))
	})
	count := make(map[Sort]int)
	f.found.Findings = slices.DeleteFunc(list, func(g Finding) bool {
		count[g.Sort]++
		return g.Sort != Correction && count[g.Sort] > mostOf
	})
	for sort, n := range count {
		if sort != Correction && n > mostOf {
			f.found.More += n - mostOf
		}
	}
	return f.found
}

// dear adds to the evidence of a finding what the answers at those turns took, and when the last of them was.
func (f *finder) dear(e *Evidence, at ...session.Ref) {
	for _, ref := range at {
		t := f.transcript(ref.Session)
		if t == nil {
			continue
		}
		turn, ok := t.Turn(ref.Turn)
		if !ok {
			continue
		}
		e.Tokens += tokens.Estimate(turn.Content)
		if answer, ok := t.Turn(ref.Turn + 1); ok && turn.Role == session.RoleUser && answer.Role == session.RoleAssistant {
			e.Tokens += tokens.Estimate(answer.Content)
		}
		if turn.Time.After(e.Last) {
			e.Last = turn.Time
		}
	}
}

// transcript is a conversation, read once; nil where it cannot be read.
func (f *finder) transcript(id string) *session.Transcript {
	t, ok := f.read[id]
	if ok {
		return t
	}
	dir := f.home.Conversations.Dir()
	if path, err := dir.Find(id); err == nil {
		if t, err = dir.Load(path); err != nil {
			t = nil
		}
	}
	f.read[id] = t
	return t
}

// waiting finds what is in the queue.
func (f *finder) waiting() {
	for _, w := range f.pending {
		p := w.Proposal
		r := p.Record
		g := Finding{Kind: r.Kind, Text: r.Content, Why: p.Why, Scope: r.Scope, Ref: w.Ref}
		g.Evidence = Evidence{Times: 1, Last: p.Time, Tokens: tokens.Estimate(r.Content)}
		name, _, isDraft := skill.Proposed(&r)
		switch {
		case p.Of == review.OfChange:
			continue
		case isDraft:
			g.Sort, g.Draft, g.Kind = Skill, name, ""
			g.Text, _, _ = strings.Cut(r.Content, " (drafts/")
		case r.Kind == memory.KindRule:
			g.Sort = Rule
		case r.Kind == memory.KindPattern, r.Kind == memory.KindConvention:
			g.Sort = Pattern
			g.Times = max(1, len(r.Details().Cites))
		case r.Kind == memory.KindLesson:
			g.Sort = Correction
		default:
			g.Sort = Statement
		}
		if f.q.Alone && g.Sort != Correction {
			continue
		}
		f.add(g)
	}
}

// corrections finds what the conversations show of commands.
func (f *finder) corrections() {
	for _, s := range f.q.Seen.Seen() {
		if f.said[f.home.Keys.MaskText(s.Text)] {
			continue
		}
		g := Finding{Sort: Correction, Kind: s.Kind, Text: s.Text, Why: s.Why, Scope: memory.Scope(s.Scope)}
		if s.Kind == memory.KindRule {
			g.Sort = Rule
		}
		f.dear(&g.Evidence, s.At...)
		g.Times = s.Times
		if s.Last.After(g.Last) {
			g.Last = s.Last
		}
		f.add(g)
	}
}

// rules finds those that speak of what the person did not let run. One stands for the draft that names a single line of it.
func (f *finder) rules(ctx context.Context) error {
	l, err := ReadRuleLook(ctx, f.home)
	if err != nil {
		return err
	}
	var waits []string
	for _, w := range f.pending {
		if w.Proposal.Record.Kind == memory.KindRule {
			waits = append(waits, w.Proposal.Record.Content)
		}
	}
	for _, d := range l.Drafts {
		if isNear(d.Record.Content, waits) {
			continue
		}
		g := Finding{Sort: Rule, Kind: memory.KindRule, Text: d.Record.Content, Why: d.Why, Scope: d.Record.Scope, rule: &d.Suggestion}
		for _, o := range d.Of {
			f.dear(&g.Evidence, session.Ref{Session: o.Session, Turn: o.N})
			g.Danger = g.Danger || l.judge(o.Line).Level == risk.Danger
		}
		g.Times = len(d.Of)
		if b, ok := risk.ParseRule(d.Record.Content); ok {
			f.found.Findings = slices.DeleteFunc(f.found.Findings, func(o Finding) bool {
				of, ok := risk.ParseRule(o.Text)
				return o.Sort == Rule && o.Ref == "" && o.rule == nil && ok &&
					len(of.Match) >= len(b.Match) && slices.Equal(of.Match[:len(b.Match)], b.Match)
			})
		}
		f.add(g)
	}
	return nil
}

// habits finds what a skill could be for. What a lesson says, or would say, needs none.
func (f *finder) habits(ctx context.Context) error {
	l, err := ReadHabits(ctx, f.home, f.q.Live)
	if err != nil {
		return err
	}
	for _, s := range l.Signals {
		sort := Skill
		switch s.Kind {
		case habits.Repeated:
			sort = Wish
		case habits.Corrected:
			from, to, _ := strings.Cut(s.Text, " -> ")
			if text, ok := feedback.Instead(from, to); ok && (f.said[text] || f.drafted(text)) {
				continue
			}
		}
		g := Finding{Sort: sort, Text: s.Line(), Why: "seen in " + places(s.At), Signal: &s}
		f.dear(&g.Evidence, s.At...)
		g.Times = s.Count
		f.add(g)
	}
	return nil
}

// drafted reports whether a finding has this text already.
func (f *finder) drafted(text string) bool {
	return slices.ContainsFunc(f.found.Findings, func(g Finding) bool { return g.Text == text })
}

// mostPlaces is how many turns are named of a finding.
const mostPlaces = 3

// places names turns, the last ones.
func places(at []session.Ref) string {
	var list []string
	for _, r := range at[max(0, len(at)-mostPlaces):] {
		list = append(list, r.String())
	}
	return strings.Join(list, ", ")
}

// patterns finds groups of memories that nothing stands for yet.
func (f *finder) patterns(ctx context.Context) error {
	l, err := ReadGroups(ctx, f.home)
	if err != nil {
		return err
	}
	f.found.groups = l
	for _, c := range l.Clusters {
		g := Finding{Sort: Pattern, Text: strings.Join(c.Common, " "), Scope: c.Scope, Group: &c}
		g.Why = "memories of one matter: #" + strings.Join(c.Refs(), " #")
		g.Times = len(c.Items)
		for _, it := range c.Items {
			g.Tokens += tokens.Estimate(it.Record.Content)
			if it.Record.Time.After(g.Last) {
				g.Last = it.Record.Time
			}
		}
		f.add(g)
	}
	return nil
}

// statements finds what the person typed plainly and nobody kept.
func (f *finder) statements(ctx context.Context) error {
	list := f.q.Conversations
	for _, t := range list[max(0, len(list)-mostStated):] {
		said, err := conversationOf(ctx, f.home, t, 0)
		if err != nil {
			return err
		}
		found, err := Candidates(ctx, nil, said)
		if err != nil && !errors.Is(err, extract.ErrNothingTyped) {
			return err
		}
		fresh, _, err := said.Fresh(ctx, f.home, found)
		if err != nil {
			return err
		}
		for _, c := range fresh {
			if f.drafted(c.Content) {
				continue
			}
			rec := said.Suggestions(engine.Actor{Kind: engine.Person}, []extract.Candidate{c})[0].Record
			at := session.Ref{Session: t.Header.Session, Turn: c.Turn}
			g := Finding{Sort: Statement, Kind: c.Kind, Text: c.Content, Scope: rec.Scope, statement: &c, said: said}
			g.Why = "you said it in " + at.String()
			f.dear(&g.Evidence, at)
			g.Times = 1
			f.add(g)
		}
	}
	return nil
}

// Queues reports whether a finding waits in the queue, or may: its text is there, and is for the person to keep or to refuse.
func (f *Finding) Queues() bool {
	return f.Draft == "" && (f.Ref != "" && f.Sort != Correction || f.rule != nil || f.statement != nil)
}

// Propose has a finding that Queues wait in the queue, and returns its name there. known says why it does not: see
// engine.Proposed. Errors: those of engine.Writer.Propose.
func (f *Finding) Propose(ctx context.Context, h *app.View) (ref, known string, err error) {
	if f.Ref != "" {
		return f.Ref, "", nil
	}
	out, err := propose(ctx, h, func(who engine.Actor) []engine.Suggestion {
		if f.statement != nil {
			return f.said.Suggestions(who, []extract.Candidate{*f.statement})
		}
		return []engine.Suggestion{*f.rule}
	})
	if err != nil {
		return "", "", err
	}
	if out[0].ID == 0 || !out[0].New && out[0].Known != string(review.Pending) {
		return "", out[0].Known, nil
	}
	return fmt.Sprintf("p%d", out[0].ID), "", nil
}

// Groups returns the look at one group of memories, for a model or the person to say what it comes to.
func (f Found) Groups(g *Finding) *Groups { return f.groups.Of(*g.Group) }
