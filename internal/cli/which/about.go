package which

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/pick"
	"ken/internal/repl"
	"ken/internal/termsafe"
	"ken/internal/view"
	"ken/internal/wrap"
)

// mostSaid is how many turns are shown of those that say something.
const mostSaid = 5

// A Found is what a selector came to, as the person said.
type Found struct {
	pick.Target
	Asked bool // the person was shown what they mean, and said so
	None  bool // the person was asked which, and said none
}

// Find resolves a selector; of words that may mean several things it shows what there is and asks which of it is meant.
func Find(ctx context.Context, a *term.Run, m pick.Selector, c Options) (Found, error) {
	t, err := m.Find(ctx, a.Home)
	if err != nil || t.Offer == nil {
		return Found{Target: t}, err
	}
	o := t.Offer
	if c.Any || c.All {
		t, err = o.All(ctx, a.Home)
		return Found{Target: t, Asked: !c.Any}, err
	}
	list := listing(a, o)
	if !a.Person.Present() {
		a.Say("", list)
		err := fault.Refusedf("nobody to ask which of these is meant")
		if len(o.Found) == 0 {
			return Found{}, err.WithHint("all that says it: %s", fault.Command(c.Verb+" --yes everything about "+o.What))
		}
		return Found{}, err.WithHint("name it by its reference: %s", fault.Command(c.Verb+" "+o.Found[0].Ref))
	}
	refs, said := []string(nil), false
	err = a.Person.OnTerminal(func(t *repl.Terminal) (err error) {
		if _, err = io.WriteString(t.Err, wrap.List(t.Err, a.Screen.Signs(t.Err, list))+"\n"); err == nil {
			refs, said, err = askAbout(ctx, t, o, c)
		}
		return err
	})
	if err != nil {
		return Found{None: true}, err
	}
	t, err = o.Taken(ctx, a.Home, refs, said)
	return Found{Target: t, Asked: true, None: len(refs) == 0 && !said}, err
}

// listing is what is offered, for a person.
func listing(a *term.Run, o *pick.Offer) string {
	var lines []string
	if len(o.Found) > 0 {
		lines = strings.Split(app.NamedText(a.Home, o.Found, false), "\n")
		for i := range lines {
			lines[i] += o.Notes[o.Found[i].Ref]
		}
	}
	n := len(o.Said.Turns)
	if n == 0 {
		return strings.Join(lines, "\n")
	}
	said := fmt.Sprintf("%s in %s", view.Count(n, "turn"), view.Count(o.Said.Conversations(), "conversation"))
	if len(o.Found) == 0 {
		lines = append(lines, fmt.Sprintf("nothing is remembered about %s; %s", termsafe.Line(o.What), mention(said, n)))
	} else {
		lines = append(lines, "besides, "+mention(said, n))
	}
	for _, line := range saidLines(a, o.Said.Turns, "- ") {
		lines = append(lines, "  "+line)
	}
	return strings.Join(lines, "\n")
}

// saidLines are the first of some turns that say something, and how many more there are.
func saidLines(a *term.Run, turns []app.SaidTurn, lead string) (lines []string) {
	for i, t := range turns {
		if i == mostSaid {
			return append(lines, fmt.Sprintf("... and %d more", len(turns)-i))
		}
		lines = append(lines, lead+SaidText(a, t))
	}
	return lines
}

// SaidText is a turn that says something, for a person.
func SaidText(a *term.Run, t app.SaidTurn) string {
	return fmt.Sprintf("%s %s: %s", termsafe.Line(t.Turn.String()), t.Role, view.ExcerptSaid(a.Home.Keys.MaskText(t.Text), 60))
}

// mention is "1 turn in 1 conversation mentions it".
func mention(said string, n int) string {
	if n == 1 {
		return said + " mentions it"
	}
	return said + " mention it"
}

// askAbout asks which of what is offered is meant.
func askAbout(ctx context.Context, t *repl.Terminal, o *pick.Offer, c Options) (refs []string, said bool, err error) {
	turns := view.Count(len(o.Said.Turns), "turn")
	switch {
	case len(o.Said.Turns) == 0:
		refs, err = askWhich(ctx, t, o.Found, c)
		return refs, false, err
	case len(o.Found) == 0:
		said, err = t.Confirm(ctx, c.Verb+" the "+turns+"?")
		return nil, said, err
	}
	answer, err := t.Ask(ctx, fmt.Sprintf("%s which? (numbers; all: with the %s; said: only these; Enter: none) ", c.Verb, turns))
	if errors.Is(err, repl.ErrInterrupted) || errors.Is(err, io.EOF) {
		t.EndLine()
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	return o.Read(answer)
}

// ShowElsewhere names what says the name of a project in other scopes, and is no part of it.
func ShowElsewhere(a *term.Run, name string, m app.Mentions) {
	if len(m.Items)+len(m.Turns) == 0 {
		return
	}
	a.Status("elsewhere, and left: what says %s", termsafe.Line(name))
	a.Say("", elsewhere(a, m))
	if len(m.Items) > 0 {
		refs := make([]string, len(m.Items))
		for i, it := range m.Items {
			refs[i] = it.Ref()
		}
		a.Status("to forget that too: %s", a.Verb("forget "+strings.Join(refs, " ")))
	}
}

// elsewhere is what says something elsewhere, for a person.
func elsewhere(a *term.Run, m app.Mentions) string {
	var lines []string
	for _, it := range m.Items {
		said := view.Excerpt(a.Home.Keys.MaskText(it.Record.Content), 60)
		lines = append(lines, fmt.Sprintf("- #%s: %s (%s)", it.Ref(), said, view.ScopeOf(it.Item)))
	}
	return strings.Join(append(lines, saidLines(a, m.Turns, "- turn ")...), "\n")
}

// AskElsewhere shows what a project has and what says its name elsewhere, apart, and asks
// which of both is meant.
func AskElsewhere(ctx context.Context, a *term.Run, name string, t Found) (Found, error) {
	for _, it := range t.Items {
		a.Say("  ", "#"+it.Ref()+": "+view.ExcerptSaid(a.Home.Keys.MaskText(it.Record.Content), 60))
	}
	for _, id := range t.Sessions {
		a.Say("  ", "conversation "+termsafe.Line(id)+" (what was said there)")
	}
	a.Say("", fmt.Sprintf("elsewhere, what says %s:", termsafe.Line(name)))
	a.Say("  ", elsewhere(a, t.Elsewhere))
	answer, err := a.Person.AskLine(ctx, "forget which? (project; all: also what stands elsewhere; Enter: none) ")
	if err != nil {
		return t, err
	}
	switch t.Asked = true; strings.ToLower(answer) {
	case "all", "y", "yes":
		t.Target = t.Widened()
	case "project":
	default:
		t.None = true
	}
	return t, nil
}
