package review

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"ken/internal/ask"
	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/learn"
	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/view/learned"
)

// keepIt asks what becomes of what waits.
func keepIt() ask.Question {
	return ask.Question{Asks: "keep it?", Enter: ask.Next, Choices: []ask.Choice{
		{Answer: ask.Yes, Says: "keep"},
		{Answer: ask.No, Says: "refuse"},
		{Answer: ask.Edit},
		{Answer: ask.Kind},
		{Answer: ask.Where},
		{Answer: ask.Later},
		{Answer: ask.Stop},
		{Answer: ask.Next},
	}}
}

// goThrough asks about each thing that waits.
func goThrough(ctx context.Context, a *term.Run) error {
	pending, _, err := readQueue(ctx, a)
	if err != nil {
		return err
	}
	if len(pending) == 0 {
		return a.Println("(nothing waits)")
	}
	if err := mayAnswer(a); err != nil {
		return err
	}
	kept, refused, left := 0, 0, 0
	on := scale(a)
	for i, w := range pending {
		s, err := a.Home.Memory.State(ctx) // as the last answer left it
		if err != nil {
			return err
		}
		said, quit, err := askOne(ctx, a, on, s, w, i+1, len(pending))
		if err != nil {
			return err
		}
		switch said.Verdict {
		case review.Yes:
			kept++
		case review.No:
			refused++
		default:
			left++
		}
		if quit {
			left += len(pending) - i - 1
			break
		}
	}
	return ending(a, kept, refused, left)
}

// called is what waits with its scope as the person calls it.
func called(a *term.Run, w engine.Waiting) engine.Waiting {
	if scope := string(w.Proposal.Record.Scope); scope != "" {
		p := *w.Proposal
		p.Record.Scope = memory.Scope(a.Home.Here.Names(scope).Of(scope))
		w.Proposal = &p
	}
	return w
}

// askOne shows one proposal and asks until it is answered or left.
func askOne(
	ctx context.Context, a *term.Run, on *learn.Scale, s *memory.State, w engine.Waiting, nr, of int,
) (said Decided, quit bool, err error) {
	card := func() (seen bool, err error) {
		d, err := on.Touched(ctx, s, w.Proposal.Record)
		if err != nil {
			return false, err
		}
		return show(ctx, a, learned.Card(called(a, w), s, d, nr, of))
	}
	if seen, err := card(); err != nil || !seen {
		return said, !seen, err
	}
	var ans engine.Answer
	for {
		key, err := a.Person.Put(ctx, keepIt())
		if err != nil {
			return said, false, err
		}
		switch key {
		case ask.Stop:
			return said, true, nil
		case ask.Next:
			return said, false, nil
		case ask.Yes:
			ans.Verdict = review.Yes
		case ask.No:
			ans.Verdict = review.No
		case ask.Later:
			ans.Verdict = review.Later
		default:
			if err := change(ctx, a, &w, &ans, key); err != nil {
				a.Report(err)
			} else if seen, err := card(); err != nil || !seen {
				return said, !seen, err
			}
			continue
		}
		r, err := a.Home.DecideOne(ctx, a.Live, w, ans)
		if err = Report(a, w.Ref, ans.Verdict, r, err); err != nil {
			if !errors.Is(err, review.ErrDecided) && !errors.Is(err, review.ErrDraft) && !errors.Is(err, engine.ErrNotActive) && !isSecret(err) {
				return said, false, err
			}
			a.Report(err) // the queue goes on without it
			return said, false, nil
		}
		a.TellNear(r)
		return Decided{ans.Verdict, r.IDs, w.Proposal.Record}, false, nil
	}
}

// A Decided is what became of one thing that waited.
type Decided struct {
	Verdict review.Verdict // "" if it waits on
	Lines   []memory.ID    // that were written
	Record  memory.Record  // as it was answered
}

// Ask shows what waits under a reference and asks about it, as the nr-th of so many. quit: the person ended it. Nothing waits there any
// more: nothing is asked.
func Ask(ctx context.Context, a *term.Run, ref string, nr, of int) (said Decided, quit bool, err error) {
	pending, _, err := readQueue(ctx, a)
	if err != nil {
		return said, false, err
	}
	for _, w := range pending {
		if w.Ref != ref {
			continue
		}
		s, err := a.Home.Memory.State(ctx)
		if err != nil {
			return said, false, err
		}
		return askOne(ctx, a, scale(a), s, w, nr, of)
	}
	return said, false, nil
}

// show shows a card whole, a screen at a time. seen is false if the person left.
func show(ctx context.Context, a *term.Run, card string) (seen bool, err error) {
	return a.Person.Pages(ctx, strings.Split(card, "\n"), func(line string) error { return a.Println(line) })
}

func isSecret(err error) bool {
	var secret *engine.SecretError
	return errors.As(err, &secret)
}

// retype lets the person change a text: in their editor, or in the line where they have
// named none and the text is one line.
func retype(ctx context.Context, a *term.Run, text string) (string, error) {
	if cmp.Or(a.Env.Getenv("VISUAL"), a.Env.Getenv("EDITOR")) != "" || strings.Contains(text, "\n") {
		return a.Person.EditText(ctx, text)
	}
	changed, err := a.Person.AskText(ctx, "text: ", text)
	if err == nil && changed == "" { // Ctrl-C
		return text, nil
	}
	return changed, err
}

// change replaces a part of what is proposed, for the answer and for the eye.
func change(ctx context.Context, a *term.Run, w *engine.Waiting, ans *engine.Answer, part ask.Answer) error {
	p := *w.Proposal
	switch part {
	case ask.Edit:
		text, err := retype(ctx, a, p.Record.Content)
		if err != nil {
			return err
		}
		if strings.TrimSpace(text) == "" {
			return engine.ErrEmpty
		}
		if text != p.Record.Content { // what is checked is what that text says
			d := p.Record.Details()
			d.Match, d.Unless, d.Raise = nil, "", ""
			p.Record.Detail = &d
		}
		ans.Content, p.Record.Content = &text, text
	case ask.Kind:
		name, err := a.Person.AskLine(ctx, "kind: ")
		if err != nil || name == "" {
			return err
		}
		kind, err := learned.ParseKind(name)
		if err != nil {
			return err
		}
		ans.Kind, p.Record.Kind = &kind, kind
	case ask.Where:
		name, err := a.Person.AskLine(ctx, "scope (user, here, repo, dir, or a full one): ")
		if err != nil || name == "" {
			return err
		}
		resolved, err := a.Home.Here.Place().Resolve(name)
		if err != nil {
			return err
		}
		scope := memory.Scope(resolved)
		ans.Scope, p.Record.Scope = &scope, scope
	}
	w.Proposal = &p
	return nil
}
