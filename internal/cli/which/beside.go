package which

import (
	"context"
	"fmt"
	"strings"

	"ken/internal/app"
	"ken/internal/ask"
	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/pick"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// Beside asks, once, what becomes of memories beside which the text of a draft hardly holds, or that speak of what it says
// has ended. Enter keeps all. What the person kept beside it is not asked about again.
func Beside(ctx context.Context, a *term.Run, e *engine.Writer, draft engine.Draft, wish pick.Wish) (f pick.Fate, err error) {
	near, err := pick.Beside(ctx, a.Home, e, draft, wish)
	if err != nil || len(near.List) == 0 {
		return f, err
	}
	if wish == pick.Stated && !near.Over {
		f, err = byKey(ctx, a, near)
	} else {
		f, err = byLine(ctx, a, near, wish == pick.Passing)
	}
	if err == nil {
		near.Note(ctx, a.Home, f)
	}
	f.Shown = true
	return f, err
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
func byKey(ctx context.Context, a *term.Run, near pick.Near) (f pick.Fate, err error) {
	a.Say("[ken] ", shown(a, near.List))
	said, err := a.Person.Put(ctx, ask.Question{Asks: "replace it?", No: "keep both", Choices: []ask.Choice{
		{Answer: ask.Yes, Says: "replace"}, {Answer: ask.Stop, Says: "remember nothing"},
	}})
	switch {
	case err != nil:
		return f, err
	case said == ask.Stop:
		f.Nothing = true
	case said == ask.Yes:
		f = near.Replace()
	}
	return f, nil
}

// byLine asks of each, by number.
func byLine(ctx context.Context, a *term.Run, near pick.Near, passing bool) (f pick.Fate, err error) {
	list := near.List
	q := term.Own{Says: shown(a, list), Enter: "keep both", One: &ask.Question{
		Asks: "replace it?", No: "keep both", Choices: []ask.Choice{{Answer: ask.Yes, Says: "replace"}},
	}}
	q.Sort = app.AskReplace
	switch {
	case near.Over && len(list) > 1:
		q.Sort, q.Enter, q.One = app.AskEnded, "keep all", nil
		q.Asks = "what becomes of them? forget, replace or keep, with numbers where not all (forget " + list[0].Ref() + ")"
	case near.Over:
		q.Sort, q.Asks, q.Enter, q.One = app.AskEnded, "what becomes of it? forget, replace or keep", "keep", nil
	case len(list) > 1:
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
		return f, err
	case leave == app.MayWait:
		return near.Wait(), nil
	case leave == app.MayAsk:
		read, ok := near.Read(strings.ToLower(answer))
		if f = read; !ok {
			a.Status("%q names nothing of that: all is kept", termsafe.Line(answer))
		}
	}
	return f, nil
}

// Settle does what is to become of memories whose place the text does not take, and says so.
func Settle(ctx context.Context, a *term.Run, w *engine.Writer, f pick.Fate) error {
	done, err := f.Settle(ctx, w)
	for _, d := range done {
		back := a.Verb("undo " + d.Line.String())
		if d.Text == "" {
			a.Status("forgot #%s (undo: %s)", d.ID, back)
			continue
		}
		a.Status("remembered #%s in the place of #%s: %s (undo: %s)", d.Line, d.ID, view.Excerpt(a.Home.Keys.MaskText(d.Text), 60), back)
	}
	return err
}
