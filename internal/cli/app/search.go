package app

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"ken/internal/index"
	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/view"
)

// A Found is a hit of a search, with the time of what was found; zero if it is
// not known.
type Found struct {
	view.Hit
	At time.Time
}

// A Search says what is looked for.
type Search struct {
	Text string
	K    int // the most hits; 0 or less: all
	// Scope is the only one whose memories and turns are wanted, in full; "": any.
	Scope string
	// Kinds are those of the memories that are wanted, aliases resolved, and then
	// no turns; none: any, and turns as well.
	Kinds []memory.Kind
}

// A Library is all that can be searched, as it was when it was opened.
type Library struct {
	searcher index.Searcher
	scopes   []string // each once
}

// Library reads what is to be searched. The memory is read in any case: what was
// forgotten must not come back by way of the conversations that taught it. A
// session that cannot be read is told, and costs itself alone.
func (a *App) Library(ctx context.Context, in ...index.Source) (*Library, error) {
	if _, err := a.Settings(); err != nil {
		return nil, err
	}
	s, err := a.State(ctx)
	if err != nil {
		return nil, err
	}
	a.TellProblems(s)
	var docs []index.Document
	if slices.Contains(in, index.Memory) {
		docs = index.Items(s, a.Env.Now())
	}
	if slices.Contains(in, index.Sessions) {
		turns, err := a.turns(s)
		if err != nil {
			return nil, err
		}
		docs = append(docs, turns...)
	}
	l := &Library{searcher: index.NewScan(slices.Values(docs))}
	seen := make(map[string]bool)
	for i := range docs {
		if scope := docs[i].Scope; scope != "" && !seen[scope] {
			seen[scope] = true
			l.scopes = append(l.scopes, scope)
		}
	}
	return l, nil
}

// Transcripts are all conversations and imports, in the order of their ids, so
// that no time of a file decides between two hits. One that cannot be read is
// told, and costs itself alone.
func (a *App) Transcripts() ([]*session.Transcript, error) {
	var transcripts []*session.Transcript
	for _, dir := range []session.Dir{a.SessionDir(), a.SessionDir().Imports()} {
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
				a.Say("ken: warning: ", w)
			}
			transcripts = append(transcripts, t)
		}
	}
	slices.SortStableFunc(transcripts, func(x, y *session.Transcript) int {
		return strings.Compare(x.Header.Session+"\n"+x.Path, y.Header.Session+"\n"+y.Path)
	})
	return transcripts, nil
}

// turns are those of all conversations that may be found.
func (a *App) turns(s *memory.State) ([]index.Document, error) {
	transcripts, err := a.Transcripts()
	if err != nil {
		return nil, err
	}
	f := ForgottenIn(s)
	var docs []index.Document
	for _, t := range transcripts {
		for _, d := range index.Turns(t, f.hidden) {
			if !f.repeated.In(d.Content) {
				docs = append(docs, d)
			}
		}
	}
	return docs, nil
}

// Find returns what is found, best first.
func (l *Library) Find(ctx context.Context, s Search) ([]Found, error) {
	q := index.Query{Text: s.Text, K: s.K}
	if s.Scope != "" || len(s.Kinds) > 0 {
		q.Keep = func(d *index.Document) bool {
			return (s.Scope == "" || sameScope(d.Scope, s.Scope)) &&
				(len(s.Kinds) == 0 || d.In == index.Memory && slices.Contains(s.Kinds, memory.Kind(d.Kind)))
		}
	}
	hits, err := l.searcher.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	found := make([]Found, len(hits))
	for i, h := range hits {
		found[i] = Found{hitView(h), h.Time}
	}
	return found, nil
}

// Scope is the whole scope that a person means: one that something in the
// library has, or one of the forms of place.Place.Resolve. The scopes of
// imported turns may be anything; what is none of these is taken as it stands,
// and found nowhere.
func (a *App) Scope(l *Library, arg string) string {
	if arg == "" || slices.Contains(l.scopes, arg) {
		return arg
	}
	if full, err := a.Place().Resolve(arg, l.scopes...); err == nil {
		return full
	}
	return arg
}

// sameScope compares exactly, but for the identities of repositories, where
// case does not count.
func sameScope(a, b string) bool {
	return a == b || strings.HasPrefix(a, "repo:") && strings.EqualFold(a, b)
}

// SameScope is what a scope that was chosen takes in: itself, and for the
// repository where the person stands each name that it goes by.
func (a *App) SameScope(full string) func(string) bool {
	here := strings.HasPrefix(full, "repo:") && a.Place().Holds(full)
	return func(scope string) bool {
		return sameScope(scope, full) || here && strings.HasPrefix(scope, "repo:") && a.Place().Holds(scope)
	}
}

func hitView(h index.Hit) view.Hit {
	v := view.Hit{
		Ref: h.Ref, Score: h.Score, Content: h.Content, Session: h.GivenSession, Turn: h.Turn,
		In: string(h.In), Kind: h.Kind, Scope: h.Scope, TS: view.Stamp(h.Time), Speaker: h.Speaker,
	}
	for _, p := range h.Parts {
		v.Parts = append(v.Parts, view.Part{Name: string(p.Name), Score: p.Score})
	}
	if v.Session == nil && h.Document.Session != "" {
		v.Session = json.RawMessage(jsonl.AppendString(nil, h.Document.Session))
	}
	return v
}
