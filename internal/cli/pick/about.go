package pick

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/repl"
	"ken/internal/termsafe"
	"ken/internal/view"
	"ken/internal/wrap"
)

// mostSaid is how many turns are shown of those that say something.
const mostSaid = 5

// about finds all that says what is to be forgotten, memories and conversations, shows it
// and asks which of it is meant. Nothing is an error that wraps ErrNoMatch.
func (m *Selector) about(ctx context.Context, a *term.Run, what string, c Options) (Target, error) {
	all, err := app.MentionsOf(ctx, a.Home, what)
	if err != nil {
		return Target{}, err
	}
	all = all.Beside()
	found, notes, err := mentioned(ctx, a, all, what)
	if err != nil {
		return Target{}, err
	}
	if len(found)+len(all.Turns) == 0 {
		return Target{}, fault.New(fault.NotFound, fmt.Errorf("%w %q", ErrNoMatch, what)).
			WithHint("see what there is: %s", fault.Command("memory list"))
	}
	refs, said := refsOf(found), true
	if !c.Any && !(m.All && m.Yes) {
		list := listing(a, found, notes, all, what)
		if !a.Person.Present() {
			a.Say("", list)
			err := fault.Refusedf("nobody to ask which of these is meant")
			if len(found) == 0 {
				return Target{}, err.WithHint("all that says it: %s", fault.Command(c.Verb+" --yes everything about "+what))
			}
			return Target{}, err.WithHint("name it by its reference: %s", fault.Command(c.Verb+" "+found[0].Ref))
		}
		err := a.Person.OnTerminal(func(t *repl.Terminal) (err error) {
			if _, err = io.WriteString(t.Err, wrap.List(t.Err, a.Screen.Signs(t.Err, list))+"\n"); err == nil {
				refs, said, err = askAbout(ctx, t, found, all, c)
			}
			return err
		})
		if err != nil {
			return Target{None: true}, err
		}
	}
	t := Target{Named: true, Asked: !c.Any, None: len(refs) == 0 && !said}
	if t.Items, err = itemsOf(ctx, a, refs); err == nil && said {
		for _, turn := range all.Turns {
			t.Turns = append(t.Turns, turn.Turn)
		}
	}
	return t, err
}

// mentioned are the memories that say something, and those that are found by its words, with
// what a person should know of each beside its text.
func mentioned(
	ctx context.Context, a *term.Run, all app.Mentions, what string,
) (found []app.Found, notes map[string]string, err error) {
	notes = make(map[string]string)
	for i := range all.Items {
		it := &all.Items[i]
		found = append(found, app.FoundItem(&it.Item))
		switch {
		case it.Was != "":
			notes[it.Ref()] = " (said before: " + view.Excerpt(a.Home.Keys.MaskText(it.Was), 60) + ")"
		case it.Replaced:
			notes[it.Ref()] = " (was replaced)"
		}
	}
	if app.SmallName(what) { // a name: the word itself stands anywhere
		return found, notes, nil
	}
	l, err := app.OpenLibrary(ctx, a.Home, index.Memory)
	if err != nil {
		return nil, nil, err
	}
	like, err := l.Find(ctx, app.Query{Text: what})
	if err != nil {
		return nil, nil, err
	}
	for _, f := range like {
		if len(found) < mostListed && !slices.Contains(refsOf(found), f.Ref) {
			found = append(found, f)
		}
	}
	return found, notes, nil
}

// listing is what was found, for a person.
func listing(a *term.Run, found []app.Found, notes map[string]string, all app.Mentions, what string) string {
	var lines []string
	if len(found) > 0 {
		lines = strings.Split(app.NamedText(a.Home, found, false), "\n")
		for i := range lines {
			lines[i] += notes[found[i].Ref]
		}
	}
	if len(all.Turns) == 0 {
		return strings.Join(lines, "\n")
	}
	said := fmt.Sprintf("%s in %s", view.Count(len(all.Turns), "turn"), view.Count(all.Conversations(), "conversation"))
	if len(found) == 0 {
		lines = append(lines, fmt.Sprintf("nothing is remembered about %s; %s", termsafe.Line(what), mention(said, len(all.Turns))))
	} else {
		lines = append(lines, "besides, "+mention(said, len(all.Turns)))
	}
	for _, line := range saidLines(a, all.Turns, "- ") {
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

// askAbout asks which of what was found is meant.
func askAbout(
	ctx context.Context, t *repl.Terminal, found []app.Found, all app.Mentions, c Options,
) (refs []string, said bool, err error) {
	turns := view.Count(len(all.Turns), "turn")
	switch {
	case len(all.Turns) == 0:
		refs, err = askWhich(ctx, t, found, c)
		return refs, false, err
	case len(found) == 0:
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
	switch answer = strings.ToLower(strings.TrimSpace(answer)); answer {
	case "all", "y", "yes":
		return refsOf(found), true, nil
	case "said":
		return nil, true, nil
	}
	refs, err = Chosen(refsOf(found), answer, c)
	return refs, false, err
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
func AskElsewhere(ctx context.Context, a *term.Run, name string, t Target) (Target, error) {
	for _, it := range t.Items {
		a.Say("  ", "#"+it.Ref()+": "+view.ExcerptSaid(it.Record.Content, 60))
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
		for _, it := range t.Elsewhere.Items {
			t.Items = append(t.Items, it.Item)
		}
		for _, turn := range t.Elsewhere.Turns {
			t.Turns = append(t.Turns, turn.Turn)
		}
	case "project":
	default:
		t.None = true
	}
	return t, nil
}

// itemsOf are the memories of references.
func itemsOf(ctx context.Context, a *term.Run, refs []string) ([]memory.Item, error) {
	s, err := a.Home.Memory.State(ctx)
	if err != nil {
		return nil, err
	}
	var items []memory.Item
	for _, ref := range refs {
		id, err := memory.ParseID(ref)
		if err != nil {
			return nil, err
		}
		it, _ := s.Get(id)
		items = append(items, it)
	}
	return items, nil
}
