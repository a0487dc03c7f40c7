package find

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/cli/app"
	"ken/internal/index"
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

// A Search says what is looked for.
type Search struct {
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
}

// A Library is all that can be searched, as it was when it was opened.
type Library struct {
	app     *app.App
	corpora []*index.Corpus
	scopes  []string // each once
}

// Open reads what is to be searched. The memory is read in any case: what was
// forgotten must not come back by way of the conversations that taught it. A
// session that cannot be read is told, and costs itself alone.
func Open(ctx context.Context, a *app.App, in ...index.Source) (*Library, error) {
	return OpenAt(ctx, a, a.Env.Now(), in...)
}

// OpenAt is Open as it was at that time, without what was forgotten since.
func OpenAt(ctx context.Context, a *app.App, at time.Time, in ...index.Source) (*Library, error) {
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
		docs = index.Items(asof.At(s, at, a.Env.Now()), at)
	}
	said, ran := slices.Contains(in, index.Sessions), slices.Contains(in, index.Commands)
	if said || ran {
		all, err := Transcripts(a)
		if err != nil {
			return nil, err
		}
		forgotten := app.ForgottenIn(s)
		for _, t := range all {
			if at.Before(a.Env.Now()) {
				t = index.Until(t, at)
			}
			var of []index.Document
			if said {
				of = index.Turns(t, forgotten.Hidden())
			}
			if ran {
				of = append(of, index.RanCommands(t, forgotten.Hidden())...)
			}
			docs = append(docs, slices.DeleteFunc(of, func(d index.Document) bool { return forgotten.Repeats(d.Content) })...)
		}
	}
	l := &Library{app: a, corpora: []*index.Corpus{index.NewScan(slices.Values(docs))}}
	seen := make(map[string]bool)
	for i := range docs {
		if scope := docs[i].Scope; scope != "" && !seen[scope] {
			seen[scope] = true
			l.scopes = append(l.scopes, scope)
		}
	}
	return l, nil
}

// Transcripts are all sessions, in the order of their ids, so that no time of a
// file decides between two hits. One that cannot be read is told, and costs itself
// alone.
func Transcripts(a *app.App) ([]*session.Transcript, error) {
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

// Find returns what is found, best first.
func (l *Library) Find(ctx context.Context, s Search) ([]Found, error) {
	q := recall.Question{Text: s.Text, K: s.K}
	if a := l.app; s.Scope != "" || s.Here || len(s.Kinds) > 0 || a.ScopesOff() {
		here := a.Place()
		q.Keep = func(c *index.Corpus, r *index.Row) bool {
			item, scope := r.Flags&(index.Turn|index.Command) == 0, c.Name(r.Scope)
			switch {
			case len(s.Kinds) > 0 && (!item || !slices.Contains(s.Kinds, memory.Kind(c.Name(r.Kind)))):
				return false
			case s.Scope != "":
				return here.Same(scope, s.Scope)
			}
			return !item || !a.ScopeOff(scope) && (!s.Here || here.Holds(scope))
		}
	}
	hits, err := recall.Search(ctx, l.corpora, q)
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
func (l *Library) Scope(arg string) string {
	if arg == "" || slices.Contains(l.scopes, arg) {
		return arg
	}
	full, err := l.app.Place().Resolve(arg, l.scopes...)
	if err == nil {
		return full
	}
	if strings.HasPrefix(arg, "repo:") {
		l.app.WarnOnce(fmt.Errorf("--scope %s: %w", arg, err))
	}
	return arg
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
