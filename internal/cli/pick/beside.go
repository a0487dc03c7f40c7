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
	"ken/internal/ask"
	"ken/internal/cli/term"
	"ken/internal/conflict"
	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/termsafe"
	"ken/internal/view"
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
	Shown   bool // what is near was
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

// Beside asks, once, what becomes of memories beside which the text of a draft hardly holds, or that speak of what it says
// has ended. Enter keeps all. What the person kept beside it is not asked about again.
func Beside(ctx context.Context, a *term.Run, e *engine.Writer, draft engine.Draft, wish Wish) (f Fate, err error) {
	r, err := e.Preview(ctx, draft)
	if err != nil || !r.Same.IsZero() {
		return f, err
	}
	claims := conflict.Read(draft.Content)
	near := slices.DeleteFunc(r.Near, func(it engine.Alike) bool {
		mere := it.Relation == conflict.None || wish != Stated && !it.Relation.Contradicts()
		return mere || a.Home.Questions.Known(app.AskReplace, about(it, claims))
	})
	if len(near) == 0 {
		return f, nil
	}
	f.Shown = true
	over := slices.ContainsFunc(near, func(it engine.Alike) bool { return it.Relation == conflict.Over })
	if wish == Stated && !over {
		err = f.byKey(ctx, a, near)
	} else {
		err = f.byLine(ctx, a, near, claims.Ends, wish == Passing)
	}
	if err == nil && !f.Nothing && len(f.Waits)+len(f.Suggests) == 0 {
		var kept []string
		for _, it := range near {
			if !f.has(it.ID) {
				kept = append(kept, about(it, claims))
			}
		}
		a.Home.Questions.Note(ctx, app.AskReplace, kept...)
	}
	return f, err
}

func (f Fate) has(id memory.ID) bool {
	return slices.Contains(f.Replace, id) || slices.Contains(f.Forget, id) ||
		slices.ContainsFunc(f.Renamed, func(r Renamed) bool { return r.ID == id })
}

// about is a memory beside what a text claims, without a text.
func about(it engine.Alike, claims conflict.Reading) string {
	return it.Ref() + " " + strconv.FormatUint(claims.Sum(), 36)
}

// shown are memories, each with what speaks against it.
func shown(a *term.Run, near []engine.Alike) string {
	var b strings.Builder
	for _, it := range near {
		fmt.Fprintf(&b, "#%s: \"%s\": %s\n", it.Ref(), view.ExcerptSaid(a.Home.Keys.MaskText(it.Record.Content), 60),
			termsafe.Line(a.Home.Keys.MaskText(it.Relation.Says(it.Why))))
	}
	return b.String()
}

// byKey asks of what is to be remembered.
func (f *Fate) byKey(ctx context.Context, a *term.Run, near []engine.Alike) error {
	a.Say("[ken] ", shown(a, near))
	said, err := a.Person.Put(ctx, ask.Question{Asks: "replace it?", No: "keep both", Choices: []ask.Choice{
		{Answer: ask.Yes, Says: "replace"}, {Answer: ask.Stop, Says: "remember nothing"},
	}})
	switch {
	case err != nil:
		return err
	case said == ask.Stop:
		f.Nothing = true
	case said == ask.Yes:
		for _, it := range near {
			f.Replace = append(f.Replace, it.ID)
		}
	}
	return nil
}

// byLine asks of each, by number.
func (f *Fate) byLine(ctx context.Context, a *term.Run, near []engine.Alike, ends []conflict.End, passing bool) (err error) {
	over := slices.ContainsFunc(near, func(it engine.Alike) bool { return it.Relation == conflict.Over })
	q := term.Own{Says: shown(a, near), Enter: "keep both", One: &ask.Question{
		Asks: "replace it?", No: "keep both", Choices: []ask.Choice{{Answer: ask.Yes, Says: "replace"}},
	}}
	q.Sort = app.AskReplace
	switch {
	case over && len(near) > 1:
		q.Sort, q.Enter, q.One = app.AskEnded, "keep all", nil
		q.Asks = "what becomes of them? forget, replace or keep, with numbers where not all (forget " + near[0].Ref() + ")"
	case over:
		q.Sort, q.Asks, q.Enter, q.One = app.AskEnded, "what becomes of it? forget, replace or keep", "keep", nil
	case len(near) > 1:
		q.Asks, q.Enter, q.One = "replace them? y, n, or numbers", "keep all", nil
	}
	answer, leave := "", app.MayAsk
	if passing {
		answer, leave, err = a.AskOwn(ctx, q)
	} else {
		a.Say("[ken] ", q.Says)
		answer, err = a.Answer(ctx, q)
	}
	switch {
	case err != nil:
		return err
	case leave == app.MayWait:
		f.wait(near, ends)
	case leave == app.MayAsk:
		if !f.read(strings.ToLower(answer), near, ends) {
			a.Status("%q names nothing of that: all is kept", termsafe.Line(answer))
		}
	}
	return nil
}

// wait has what cannot be asked today wait.
func (f *Fate) wait(near []engine.Alike, ends []conflict.End) {
	for _, it := range near {
		rec := memory.Record{Kind: memory.KindForget, Target: it.ID}
		if text, ok := renamed(it, ends); ok {
			rec = memory.Record{Kind: memory.KindEdit, Target: it.ID, Content: text}
		}
		if it.Relation == conflict.Over {
			f.Suggests = append(f.Suggests, engine.Suggestion{Record: rec, Why: "you said of " + it.Why + " what may end it"})
		} else {
			f.Waits = append(f.Waits, it.ID)
		}
	}
}

// read takes an answer in; ok is false if it is not understood, and then nothing becomes of anything.
func (f *Fate) read(answer string, near []engine.Alike, ends []conflict.End) (ok bool) {
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
			return false
		}
	}
	rest()
	for _, it := range near {
		switch of[it.Ref()] {
		case "replace":
			if text, ok := renamed(it, ends); ok {
				f.Renamed = append(f.Renamed, Renamed{it.Item, text})
			} else {
				f.Replace = append(f.Replace, it.ID)
			}
		case "forget":
			f.Forget = append(f.Forget, it.ID)
		}
	}
	return true
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

// Settle does what is to become of memories whose place the text does not take, and says so.
func (f Fate) Settle(ctx context.Context, a *term.Run, w *engine.Writer) error {
	if len(f.Forget) > 0 {
		r, err := w.Forget(ctx, "", f.Forget...)
		if err != nil {
			return fmt.Errorf("not forgotten: %w", err)
		}
		for i, line := range r.IDs {
			a.Status("forgot #%s (undo: %s)", f.Forget[i], a.Verb("undo "+line.String()))
		}
	}
	for _, it := range f.Renamed {
		rec := it.Record
		r, err := w.Remember(ctx, engine.Draft{
			Kind: rec.Kind, Content: it.Text, Scope: rec.Scope, Key: rec.Key, Tags: rec.Tags,
			Pinned: it.Pinned, Importance: it.Importance, Supersedes: []memory.ID{it.ID},
		})
		if err != nil {
			return fmt.Errorf("not replaced: %w", err)
		}
		if len(r.IDs) > 0 {
			a.Status("remembered #%s in the place of #%s: %s (undo: %s)", r.IDs[0], it.Ref(),
				view.Excerpt(a.Home.Keys.MaskText(it.Text), 60), a.Verb("undo "+r.IDs[0].String()))
		}
	}
	return nil
}
