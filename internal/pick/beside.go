package pick

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ken/internal/app"
	"ken/internal/conflict"
	"ken/internal/engine"
	"ken/internal/memory"
)

// A Wish is how somebody came to state a text.
type Wish int

// The wishes.
const (
	Stated   Wish = iota // it is to be remembered
	Corrects             // it corrects what is remembered
	Passing              // it was said in passing: what is asked then is of ken's own accord
)

// A Fate is what becomes of memories beside which a text hardly holds. The zero Fate leaves all as it was.
type Fate struct {
	Nothing bool        // the text is not to be remembered
	Replace []memory.ID // the text takes their place
	Forget  []memory.ID
	Renamed []Renamed
	Shown   bool // to the person: what is near
	// Waits are those in whose place the text may be once they can be asked about, and Suggests what is to become of others: there were
	// questions enough today.
	Waits    []memory.ID
	Suggests []engine.Suggestion
}

// A Renamed is a memory with another text, since what it speaks of has another name.
type Renamed struct {
	memory.Item
	Text string
}

// Any reports whether anything becomes of a memory.
func (f Fate) Any() bool { return len(f.Replace)+len(f.Forget)+len(f.Renamed) > 0 }

// A Near is the memories beside which a text hardly holds, or that speak of what it says has ended, and of which the person
// has not been asked before.
type Near struct {
	List []engine.Alike // none: nothing is to be asked
	Over bool           // one of them speaks of what has ended

	claims conflict.Reading
}

// Beside finds what of the memory is near to the text of a draft. Errors: those of engine.Writer.Preview.
func Beside(ctx context.Context, h *app.View, e *engine.Writer, draft engine.Draft, wish Wish) (n Near, err error) {
	r, err := e.Preview(ctx, draft)
	if err != nil || !r.Same.IsZero() {
		return n, err
	}
	n.claims = conflict.Read(draft.Content)
	n.List = slices.DeleteFunc(r.Near, func(it engine.Alike) bool {
		mere := it.Relation == conflict.None || wish != Stated && !it.Relation.Contradicts()
		return mere || h.Questions.Known(app.AskReplace, n.about(it))
	})
	n.Over = slices.ContainsFunc(n.List, func(it engine.Alike) bool { return it.Relation == conflict.Over })
	return n, nil
}

// about is a memory beside what the text claims, without a text.
func (n Near) about(it engine.Alike) string {
	return it.Ref() + " " + strconv.FormatUint(n.claims.Sum(), 36)
}

// Note keeps in mind what a fate leaves as it was, so that nobody is asked about it again; where something waits, they
// will be.
func (n Near) Note(ctx context.Context, h *app.View, f Fate) {
	if f.Nothing || len(f.Waits)+len(f.Suggests) > 0 {
		return
	}
	var kept []string
	for _, it := range n.List {
		if !f.has(it.ID) {
			kept = append(kept, n.about(it))
		}
	}
	h.Questions.Note(ctx, app.AskReplace, kept...)
}

// Replace is the fate in which the text takes the place of all.
func (n Near) Replace() (f Fate) {
	for _, it := range n.List {
		f.Replace = append(f.Replace, it.ID)
	}
	return f
}

// Wait is the fate in which what cannot be asked about today waits.
func (n Near) Wait() (f Fate) {
	for _, it := range n.List {
		rec := memory.Record{Kind: memory.KindForget, Target: it.ID}
		if text, ok := renamed(it, n.claims.Ends); ok {
			rec = memory.Record{Kind: memory.KindEdit, Target: it.ID, Content: text}
		}
		if it.Relation == conflict.Over {
			f.Suggests = append(f.Suggests, engine.Suggestion{Record: rec, Why: "you said of " + it.Why + " what may end it"})
		} else {
			f.Waits = append(f.Waits, it.ID)
		}
	}
	return f
}

// Read reads an answer, in lower case: verbs (replace, forget, keep, and yes and no for the first and the last), each with the
// references that it is for, or for all of the rest. ok is false if it is not understood, and then nothing becomes of anything.
func (n Near) Read(answer string) (f Fate, ok bool) {
	near := n.List
	verbs := map[string]string{
		"y": "replace", "yes": "replace", "replace": "replace", "forget": "forget", "keep": "keep", "n": "keep", "no": "keep",
	}
	of := make(map[string]string) // what is to become of each reference
	verb, named := "", true
	rest := func() {
		for _, it := range near {
			if !named && verb != "" {
				of[it.Ref()] = cmp.Or(of[it.Ref()], verb)
			}
		}
	}
	for _, w := range strings.FieldsFunc(answer, func(r rune) bool { return r == ' ' || r == ',' || r == ';' }) {
		ref := strings.TrimPrefix(w, "#")
		switch i := slices.IndexFunc(near, func(it engine.Alike) bool { return it.Ref() == ref }); {
		case i >= 0:
			of[ref], named = cmp.Or(verb, "replace"), true
		case verbs[w] != "":
			rest()
			verb, named = verbs[w], false
		case w != "all" && w != "both" && w != "it" && w != "them":
			return Fate{}, false
		}
	}
	rest()
	for _, it := range near {
		switch of[it.Ref()] {
		case "replace":
			if text, ok := renamed(it, n.claims.Ends); ok {
				f.Renamed = append(f.Renamed, Renamed{it.Item, text})
			} else {
				f.Replace = append(f.Replace, it.ID)
			}
		case "forget":
			f.Forget = append(f.Forget, it.ID)
		}
	}
	return f, true
}

// renamed is the text of a memory with the name that something has now.
func renamed(it engine.Alike, ends []conflict.End) (text string, ok bool) {
	for _, e := range ends {
		if e.Renamed && e.New != "" && it.Why == e.What {
			old := regexp.MustCompile(`(?i)(^|[^\pL\pN])` + regexp.QuoteMeta(e.What) + `($|[^\pL\pN])`)
			text = old.ReplaceAllString(it.Record.Content, "${1}"+strings.ReplaceAll(e.New, "$", "$$")+"${2}")
			return text, text != it.Record.Content
		}
	}
	return "", false
}

func (f Fate) has(id memory.ID) bool {
	return slices.Contains(f.Replace, id) || slices.Contains(f.Forget, id) ||
		slices.ContainsFunc(f.Renamed, func(r Renamed) bool { return r.ID == id })
}

// A Settled is what became of one memory whose place the text does not take.
type Settled struct {
	ID   memory.ID
	Line memory.ID // that did it, and by which it is taken back
	Text string    // that stands in its place; "": it is forgotten
}

// Settle does what is to become of memories whose place the text does not take. What was done before an error is returned
// with it.
func (f Fate) Settle(ctx context.Context, w *engine.Writer) (done []Settled, err error) {
	if len(f.Forget) > 0 {
		r, err := w.Forget(ctx, "", f.Forget...)
		if err != nil {
			return nil, fmt.Errorf("not forgotten: %w", err)
		}
		for i, line := range r.IDs {
			done = append(done, Settled{ID: f.Forget[i], Line: line})
		}
	}
	for _, it := range f.Renamed {
		rec := it.Record
		r, err := w.Remember(ctx, engine.Draft{
			Kind: rec.Kind, Content: it.Text, Scope: rec.Scope, Key: rec.Key, Tags: rec.Tags,
			Pinned: it.Pinned, Importance: it.Importance, Supersedes: []memory.ID{it.ID},
		})
		if err != nil {
			return done, fmt.Errorf("not replaced: %w", err)
		}
		if len(r.IDs) > 0 {
			done = append(done, Settled{ID: it.ID, Line: r.IDs[0], Text: it.Text})
		}
	}
	return done, nil
}
