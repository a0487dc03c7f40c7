package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/fault"
	"ken/internal/index"
	"ken/internal/index/live"
	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/recall"
	"ken/internal/session"
	"ken/internal/view"
)

// A Found is a hit of a search, with the time of what was found; zero if it is
// not known.
type Found struct {
	view.Hit
	At time.Time
}

// A Query says what is looked for.
type Query struct {
	Text string
	K    int // the most hits; 0 or less: all
	// Scope is the only one whose memories and turns are wanted, in full; "": any
	// that the settings do not switch off.
	Scope string
	// Here leaves out memories that do not hold where the person stands.
	Here bool
	// Kinds are those of the memories that are wanted, aliases resolved, and then
	// no turns; none: any, and turns as well.
	Kinds []memory.Kind
	// Begun finds for a word that nothing has what begins with it.
	Begun bool
	// Embeddings finds besides what is near in meaning, where an embedding model is
	// configured: for what is shown, never for what is done with it.
	Embeddings bool
}

// A Library is all that can be searched, as it was when it was opened.
type Library struct {
	app     *View
	moment  *Moment // that is searched, unless it is the past
	corpora []*index.Corpus
	memory  *live.Memory          // whose items are searched; nil: none are, or not as they are now
	at      time.Time             // when the questions are asked
	hide    func(*index.Row) bool // what is not searched
	names   *[]string             // its scopes; nil: nobody asked yet
	reopen  func() error          // without the index; nil if it was not used
}

// OpenLibrary reads what is to be searched. The memory is read in any case: what was
// forgotten must not come back by way of the conversations that taught it. A
// session that cannot be read is reported, and costs itself alone.
func OpenLibrary(ctx context.Context, a *View, in ...index.Source) (*Library, error) {
	return OpenLibraryIn(ctx, a.Moment(), in...)
}

// OpenLibraryIn is OpenLibrary of the memory as it is at a moment.
func OpenLibraryIn(ctx context.Context, m *Moment, in ...index.Source) (*Library, error) {
	return openLibrary(ctx, m, time.Time{}, in)
}

// OpenLibraryAt is OpenLibrary as it was at that time, without what was forgotten since. The zero
// time is now.
func OpenLibraryAt(ctx context.Context, a *View, at time.Time, in ...index.Source) (*Library, error) {
	return openLibrary(ctx, a.Moment(), at, in)
}

func openLibrary(ctx context.Context, m *Moment, at time.Time, in []index.Source) (*Library, error) {
	a := m.View()
	l := &Library{app: a, moment: m, at: at}
	if at.IsZero() {
		l.at = a.Now()
	}
	said := slices.Contains(in, index.Sessions)
	ran := slices.Contains(in, index.Commands)
	var err error
	if !at.IsZero() && at.Before(a.Now()) {
		err = l.past(ctx, at, in)
	} else {
		l.reopen = func() error {
			l.corpora, l.memory = nil, nil
			m.Again()
			return l.present(ctx, slices.Contains(in, index.Memory), said || ran)
		}
		err = l.present(ctx, slices.Contains(in, index.Memory), said || ran)
	}
	if err != nil {
		return nil, err
	}
	l.hide = func(r *index.Row) bool {
		return r.Flags&index.Turn != 0 && !said || r.Flags&index.Command != 0 && !ran
	}
	return l, nil
}

// present opens what there is now.
func (l *Library) present(ctx context.Context, items, conversations bool) error {
	if _, err := l.app.Settings.Read(); err != nil {
		return err
	}
	m, err := l.moment.Memory(ctx)
	if err != nil {
		return err
	}
	if items {
		l.corpora, l.memory = append(l.corpora, m.Corpora...), m
	}
	if !conversations {
		return nil
	}
	c, err := l.app.Memory.OpenConversations(ctx, m)
	if err != nil {
		return err
	}
	l.corpora = append(l.corpora, c.Corpora...)
	return nil
}

// past reads what there was at that time, without what was forgotten since.
func (l *Library) past(ctx context.Context, at time.Time, in []index.Source) error {
	a := l.app
	if _, err := a.Settings.Read(); err != nil {
		return err
	}
	s, err := a.Memory.State(ctx)
	if err != nil {
		return err
	}
	a.Memory.TellProblems(s)
	var docs []index.Document
	if slices.Contains(in, index.Memory) {
		docs = index.Items(asof.At(s, at, a.Now()), at)
	}
	if slices.Contains(in, index.Sessions) || slices.Contains(in, index.Commands) {
		all, err := Transcripts(a)
		if err != nil {
			return err
		}
		gone := live.ForgottenIn(s)
		for _, t := range all {
			t = index.Until(t, at)
			of := append(index.Turns(t, gone.Hidden()), index.RanCommands(t, gone.Hidden())...)
			docs = append(docs, slices.DeleteFunc(of, func(d index.Document) bool { return gone.Repeats(d.Content) })...)
		}
	}
	l.corpora = []*index.Corpus{index.NewScan(slices.Values(docs))}
	return nil
}

// Transcripts returns all sessions, in the order of their ids, so that no time of a
// file decides between two hits. One that cannot be read is reported, and costs itself
// alone.
func Transcripts(a *View) ([]*session.Transcript, error) {
	var transcripts []*session.Transcript
	for _, dir := range []session.Dir{a.Conversations.Dir(), a.Conversations.Dir().Imports()} {
		paths, err := dir.Paths()
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			t, err := dir.Load(path)
			if err != nil {
				a.Warn(err)
				continue
			}
			if w := t.Warning(); w != "" {
				a.Warn(errors.New(w))
			}
			transcripts = append(transcripts, t)
		}
	}
	slices.SortStableFunc(transcripts, func(x, y *session.Transcript) int {
		return strings.Compare(x.Header.Session+"\n"+x.Path, y.Header.Session+"\n"+y.Path)
	})
	return transcripts, nil
}

// mostRepeats is how often a question is asked again because a hit turned out to be
// of what is forgotten; then the index is done without.
const mostRepeats = 8

// Find returns what is found, best first.
func (l *Library) Find(ctx context.Context, s Query) ([]Found, error) {
	a, here := l.app, l.app.Here.Place()
	q := recall.Question{Text: s.Text, K: s.K, At: l.at, Holds: here.Holds, Keep: func(c *index.Corpus, r *index.Row) bool {
		item, scope := r.Flags&(index.Turn|index.Command) == 0, c.Name(r.Scope)
		switch {
		case l.hide(r), len(s.Kinds) > 0 && (!item || !slices.Contains(s.Kinds, memory.Kind(c.Name(r.Kind)))):
			return false
		case s.Scope != "":
			return here.Same(scope, s.Scope)
		}
		return !item || !a.Here.ScopeOff(scope) && (!s.Here || here.Holds(scope))
	}}
	mean := s.Embeddings && l.memory != nil && embeds(a)
	if mean && q.K > 0 {
		q.K = max(q.K, deep)
	}
	search := func() ([]recall.Hit, error) {
		if l.memory != nil {
			q.LastUse, q.Used = l.moment.Query().LastUse, used(a, l.memory)
		}
		corpora := l.corpora
		if s.Begun {
			recall.Prepare(corpora, q.Text)
			var err error
			if corpora, err = index.Complete(corpora, q.Text); err != nil {
				return nil, err
			}
		}
		return recall.Search(ctx, corpora, q)
	}
	hits, err := search()
	for n := 0; errors.Is(err, live.ErrLateHit) && n < mostRepeats && l.reopen != nil; n++ {
		if err := l.reopen(); err != nil {
			return nil, err
		}
		hits, err = search()
	}
	if err != nil && ctx.Err() == nil && l.reopen != nil {
		// The index is damaged, or a file is no longer what was indexed.
		a.Memory.Invalidate()
		if err := l.reopen(); err != nil {
			return nil, err
		}
		hits, err = search()
	}
	if err != nil {
		return nil, err
	}
	if mean {
		hits = fuseNear(ctx, a, nearQuery{Memory: l.memory, Text: s.Text, Keep: q.Keep, K: s.K}, hits)
	}
	found := make([]Found, len(hits))
	for i, h := range hits {
		found[i] = Found{hitView(h), h.Time}
	}
	return found, nil
}

// Scope returns the whole scope that a person means: one that something in the
// library has, or one of the forms of place.Place.Resolve. The scopes of
// imported turns may be anything; what is none of these is taken as it stands,
// and found nowhere.
func (l *Library) Scope(arg string) string {
	if arg == "" {
		return arg
	}
	scopes := l.scopes()
	if slices.Contains(scopes, arg) {
		return arg
	}
	full, err := l.app.Here.Resolve(arg, scopes...)
	if err == nil {
		return full
	}
	if strings.HasPrefix(arg, "repo:") {
		l.app.Warn(fault.Once(fmt.Errorf("--scope %s: %w", arg, err)))
	}
	return arg
}

// scopes are those of what is searched, each once. All rows are looked at for them, so that is done once: without an
// index a row is made each time.
func (l *Library) scopes() []string {
	if l.names != nil {
		return *l.names
	}
	var list []string
	seen := make(map[string]bool)
	for _, c := range l.corpora {
		of := make([]bool, len(c.Names))
		c.Rows.Each(func(r *index.Row) {
			n := r.Scope
			if n >= 0 && !of[n] && !seen[c.Names[n]] {
				seen[c.Names[n]] = true
				list = append(list, c.Names[n])
			}
			if n >= 0 {
				of[n] = true
			}
		})
	}
	l.names = &list
	return list
}

func hitView(h recall.Hit) view.Hit {
	v := view.Hit{
		Ref: h.Ref, Score: h.Score, Content: h.Content, Session: h.GivenSession, Turn: h.Turn,
		In: string(h.In), Kind: h.Kind, Scope: h.Scope, TS: view.Stamp(h.Time), Speaker: h.Speaker,
	}
	for _, p := range h.Parts {
		v.Parts = append(v.Parts, view.Part{Name: string(p.Name), Score: p.Score})
	}
	if h.In == index.Commands {
		v.Exit = &h.Exit
	}
	if v.Session == nil && h.Document.Session != "" {
		v.Session = json.RawMessage(jsonl.AppendString(nil, h.Document.Session))
	}
	return v
}
