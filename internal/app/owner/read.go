package owner

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"ken/internal/app"
	"ken/internal/dates"
	"ken/internal/fault"
	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/view"
	"ken/internal/view/port"
	"ken/internal/view/why"
)

// mostFound is how many memories a search gives at most, before filters.
const mostFound = 500

// A Filter says which memories are wanted; "" is any.
type Filter struct {
	Text                             string // in words
	Kind, Scope, Phase, Origin, Tier string
	AsOf                             string // a date as people type it: as it stood at its end
	Past                             bool   // also what does not hold
	From, Most                       int
}

// A Listing is a page of memories.
type Listing struct {
	Rows          []view.Item // with their Status where that is not active
	Total         int         // on all pages
	At            time.Time   // of the date that was asked for; zero: now
	Kinds, Scopes []string    // that there are
	Phases, Tiers []string
	Origins       []string
	From, Next    int  // Next is 0 where nothing follows
	Best          bool // best first, by what was looked for; otherwise newest first
}

// List returns the memories that a filter lets through, of all places. Errors: a date that is none; what the files say.
func (o *Owner) List(ctx context.Context, f Filter) (l Listing, err error) {
	h := o.view()
	if f.AsOf != "" {
		span, err := dates.Parse(f.AsOf, h.Now())
		if err != nil {
			return l, fault.Usagef("%q is no date: %w", f.AsOf, err)
		}
		l.At = span.Last()
	}
	sel, err := app.Items(ctx, h, app.ItemFilter{Past: f.Past, AsOf: l.At})
	if err != nil {
		return l, err
	}
	var rows []view.Item
	last, _ := h.Uses.Counts()
	cites := view.CitesOf(sel.State, h.Keys.Seal)
	var scopes []string
	for it := range sel.Items.Each() {
		if s := string(view.ScopeOf(it.Item)); !slices.Contains(scopes, s) {
			scopes = append(scopes, s)
		}
	}
	names := h.Here.Names(scopes...)
	f.Scope = names.Of(f.Scope)
	for it := range sel.Items.Each() {
		v := view.ItemOf(it.Item)
		v.Scope = names.Of(v.Scope)
		v.CitesGone, v.CitesChanged = cites.Gone(it.Item)
		v.Used = view.Stamp(last(it.Ref()))
		if it.Status != memory.StatusActive.String() {
			v.Status = it.Status
		}
		l.choices(v)
		if f.lets(v) {
			rows = append(rows, v)
		}
	}
	if strings.TrimSpace(f.Text) != "" {
		if rows, err = found(ctx, h, rows, f.Text, l.At); err != nil {
			return l, err
		}
		l.Best = true
	}
	l.Total, l.From = len(rows), min(max(f.From, 0), len(rows))
	l.Rows = rows[l.From:]
	if f.Most > 0 && len(l.Rows) > f.Most {
		l.Rows, l.Next = l.Rows[:f.Most], l.From+f.Most
	}
	for _, list := range [][]string{l.Kinds, l.Scopes, l.Phases, l.Tiers, l.Origins} {
		slices.Sort(list)
	}
	return l, nil
}

// found are those of rows that have to do with a text, best first.
func found(ctx context.Context, h *app.View, rows []view.Item, text string, at time.Time) ([]view.Item, error) {
	hits, err := h.Search(ctx, app.Question{Text: text, Limit: mostFound, In: []index.Source{index.Memory}, At: at, Anywhere: true})
	if err != nil {
		return nil, err
	}
	of := make(map[string]view.Item, len(rows))
	for _, r := range rows {
		of[r.Ref] = r
	}
	list := []view.Item{}
	for _, hit := range hits {
		if r, ok := of[hit.Ref]; ok {
			list = append(list, r)
		}
	}
	return list, nil
}

// lets reports whether a filter lets a memory through.
func (f Filter) lets(v view.Item) bool {
	is := func(want, got string) bool { return want == "" || want == got }
	return is(f.Kind, v.Kind) && is(f.Scope, v.Scope) && is(f.Phase, v.Phase) && is(f.Origin, v.Origin) && is(f.Tier, v.Tier)
}

// choices adds what a memory is to what can be chosen.
func (l *Listing) choices(v view.Item) {
	for _, c := range []struct {
		list *[]string
		word string
	}{{&l.Kinds, v.Kind}, {&l.Scopes, v.Scope}, {&l.Phases, v.Phase}, {&l.Tiers, v.Tier}, {&l.Origins, v.Origin}} {
		if len(*c.list) < 200 && !slices.Contains(*c.list, c.word) {
			*c.list = append(*c.list, c.word)
		}
	}
}

// A Memory is one, with how it came to be what it is.
type Memory struct {
	view.Item
	Mark    string // of its text: see Edit
	Binds   bool   // it binds commands, and is changed at the terminal
	History []view.PastChange
	Heads   []string // of the lines of History, in words
}

// Memory returns one memory, whatever became of it. Of one that is forgotten or erased there is no text. Errors: there is none.
func (o *Owner) Memory(ctx context.Context, ref string) (m Memory, err error) {
	h := o.view()
	ids, err := memory.ParseTyped(ref)
	if err != nil || len(ids) != 1 {
		return m, fault.NotFoundf("there is no memory %s", ref)
	}
	s, err := h.Memory.State(ctx)
	if err != nil {
		return m, err
	}
	it, status := s.Get(ids[0])
	switch status {
	case memory.StatusUnknown, memory.StatusChange, memory.StatusWaiting:
		return m, fault.NotFoundf("there is no memory %s", ref)
	}
	changes := s.History(ids[0])
	m.Item, m.Mark, m.Binds = view.ItemOf(it), Mark(it.Record.Content), binds(it.Record)
	m.Ref, m.Scope = ids[0].String(), h.Here.Names(m.Scope).Of(m.Scope)
	for _, ch := range changes {
		m.Heads = append(m.Heads, view.HistoryHead(ch))
	}
	if status != memory.StatusActive {
		m.Status = status.String()
	}
	if status != memory.StatusActive && status != memory.StatusSuperseded {
		m.Content, m.Key, m.Tags = "", "", nil // it is not to be shown any more
		return m, nil
	}
	m.History = view.HistoryOf(changes)
	last, _ := h.Uses.Counts()
	m.Basis, m.Used = view.CitesOf(s, h.Keys.Seal).Tree(it, h.Keys.MaskText), view.Stamp(last(it.Ref()))
	return m, nil
}

// Gone returns the memories that were forgotten, without what they said, newest first, at most so many.
func (o *Owner) Gone(ctx context.Context, most int) (list []view.Item, err error) {
	h := o.view()
	s, err := h.Memory.State(ctx)
	if err != nil {
		return list, err
	}
	var scopes []string
	for it := range s.Each(memory.StatusForgotten) {
		v := view.ItemOf(it)
		list = append(list, view.Item{Ref: v.Ref, TS: v.TS, Kind: v.Kind, Scope: v.Scope, Status: memory.StatusForgotten.String()})
		scopes = append(scopes, v.Scope)
	}
	slices.SortStableFunc(list, func(a, b view.Item) int { return cmp.Compare(b.TS, a.TS) })
	list = list[:min(len(list), most)]
	names := h.Here.Names(scopes...)
	for i := range list {
		list[i].Scope = names.Of(list[i].Scope)
	}
	return list, nil
}

// Status is how the memory stands, in numbers.
func (o *Owner) Status(ctx context.Context) (port.Holding, error) { return o.view().Status(ctx) }

// A Talked is a conversation in a list.
type Talked struct {
	view.Session
	Called string // what it is called; what repeats something forgotten is not shown
}

// Sessions returns the conversations, newest first: those in which something about text was said, where that is not "".
func (o *Owner) Sessions(ctx context.Context, text string) (list []Talked, err error) {
	h := o.view()
	all, _ := app.HeldConversations(ctx, h) // what cannot be read is said by doctor
	var in []app.Found
	if text != "" {
		if in, err = app.SaidIn(ctx, h, text); err != nil {
			return list, err
		}
	}
	for _, c := range all {
		says := slices.ContainsFunc(in, func(f app.Found) bool { return f.Ref == c.Header.Session })
		if c.Turns == 0 || text != "" && !says {
			continue
		}
		v := view.SessionOf(c.Listing, false)
		v.Imported = c.Imported
		list = append(list, Talked{v, c.Called()})
	}
	return list, nil
}

// A Piece is one of a conversation: a turn, or a command that ran beside them.
type Piece struct {
	Turn   *view.Turn
	Ran    *view.Ran
	Hidden bool     // what it taught is forgotten: its text is not shown
	Taught []string // the memories that the turn taught
	Had    int      // memories that an answer was given
}

// A Transcript is a conversation to be read.
type Transcript struct {
	Talked
	Pieces []Piece
	Last   int // the number of the newest turn, shown or not
	// Memory says whether it has memory, as it was left: "on", "off", or "", as the settings say.
	Memory string
}

// Transcript returns one conversation. Errors: there is none of that name; it cannot be read.
func (o *Owner) Transcript(ctx context.Context, name string) (tr Transcript, err error) {
	h := o.view()
	t, err := transcript(h, name)
	if err != nil {
		return tr, err
	}
	s, err := h.Memory.State(ctx)
	if err != nil {
		return tr, err
	}
	hides, taught := app.Hides(s, t.Header), teachings(s, t.Header.Session)
	tr.Name, tr.Session.Session, tr.Started = t.Name, t.Header.Session, view.Stamp(t.Header.Started)
	tr.Channel, tr.Model, tr.Called = string(t.Header.Channel), t.Header.Model, t.Title()
	tr.Scope, tr.Imported = t.Header.Scope, t.Header.Channel == session.ChannelImport
	whole := view.TranscriptOf(t)
	commands := whole.Commands
	take := func(after int) {
		for len(commands) > 0 && commands[0].After <= after {
			tr.Pieces = append(tr.Pieces, Piece{Ran: &commands[0]})
			commands = commands[1:]
		}
	}
	take(0)
	for i := range whole.Turns {
		turn := &whole.Turns[i]
		p := Piece{Turn: turn, Taught: taught[turn.N]}
		if turn.Role == string(session.RoleAssistant) {
			p.Had = len(why.TraceIn(t, turn.N).Chosen)
		}
		tr.Last = max(tr.Last, turn.N)
		if at, ok := t.Turn(turn.N); ok && hides(at) {
			turn.Content, turn.ToolCalls, p.Hidden = "", nil, true
			tr.Called = "[forgotten]"
		}
		if turn.Role == string(session.RoleUser) || turn.Role == string(session.RoleAssistant) {
			tr.Pieces = append(tr.Pieces, p)
		}
		take(turn.N)
	}
	tr.Turns = len(whole.Turns)
	switch on, said := t.Remembers(); {
	case said && on:
		tr.Memory = "on"
	case said:
		tr.Memory = "off"
	}
	return tr, nil
}

// teachings are the memories that a conversation taught, by turn.
func teachings(s *memory.State, id string) map[int][]string {
	by := make(map[int][]string)
	for it := range s.Each(memory.StatusActive) {
		if at := it.Record.Source; at != nil && at.Session == id && id != "" {
			by[at.Turn] = append(by[at.Turn], it.Ref())
		}
	}
	return by
}
