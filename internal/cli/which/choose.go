package which

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/pick"
	"ken/internal/repl"
	"ken/internal/wrap"
)

// Options is what a person is asked about things that a text may mean.
type Options struct {
	Verb    string // what would be done: "forget"
	Command string // that does it to a reference: "memory pin"; "" is Verb
	One     bool   // with one of them only
	Clear   bool   // what can hardly mean another is taken without a question
	Any     bool   // all that match are taken without a question: nothing is done with them
	All     bool   // all that match are taken without a question
	// Numbered says that the references are too long to be typed: the matches
	// are numbered instead.
	Numbered bool
}

// Memories finds the memories that text may mean and asks the person which
// of them is meant. None is their answer, which silence is as well.
//
// Errors: one that wraps pick.ErrNoMatch; without a person, one that asks for the exit
// code of a refusal, after the matches were printed.
func Memories(ctx context.Context, a *term.Run, text string, c Options) ([]memory.ID, error) {
	found, err := pick.Memories(ctx, a.Home, text)
	if err != nil {
		return nil, err
	}
	refs, err := Choose(ctx, a, found, text, c)
	if err != nil {
		return nil, err
	}
	return pick.IDs(refs)
}

// Choose asks which of found, at least one, text means, and gives their
// references. It fails like Memories.
func Choose(ctx context.Context, a *term.Run, found []app.Found, text string, c Options) ([]string, error) {
	if c.Any {
		return pick.RefsOf(found), nil
	}
	if ref := pick.Clear(found, text); ref != "" && c.Clear {
		return []string{ref}, nil
	}
	more := max(len(found)-pick.MostListed, 0)
	found = found[:len(found)-more]
	list := app.NamedText(a.Home, found, false)
	if c.Numbered && len(found) > 1 {
		lines := strings.Split(list, "\n")
		for i, line := range lines {
			lines[i] = strconv.Itoa(i+1) + " " + strings.TrimPrefix(line, "- ")
		}
		list = strings.Join(lines, "\n")
	}
	if more > 0 {
		list += fmt.Sprintf("\n  (and %d more; more words find fewer)", more)
	}
	if !a.Person.Present() {
		a.Say("", list)
		return nil, fault.Refusedf("nobody to ask which of these is meant").
			WithHint("name it by its reference: %s", fault.Command(cmp.Or(c.Command, c.Verb)+" "+found[0].Ref))
	}
	var refs []string
	err := a.Person.OnTerminal(func(t *repl.Terminal) (err error) {
		if _, err = io.WriteString(t.Err, wrap.List(t.Err, a.Screen.Signs(t.Err, list))+"\n"); err == nil {
			refs, err = askWhich(ctx, t, found, c)
		}
		return err
	})
	return refs, err
}

// askWhich asks which of found is meant.
func askWhich(ctx context.Context, t *repl.Terminal, found []app.Found, c Options) ([]string, error) {
	if len(found) == 1 {
		yes, err := t.Confirm(ctx, c.Verb+" it?")
		if err != nil || !yes {
			return nil, err
		}
		return pick.RefsOf(found), nil
	}
	how := "numbers, or all"
	if c.One {
		how = "a number"
	}
	answer, err := t.Ask(ctx, fmt.Sprintf("%s which? (%s; Enter: none) ", c.Verb, how))
	if errors.Is(err, repl.ErrInterrupted) || errors.Is(err, io.EOF) {
		t.EndLine()
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return c.reading().Chosen(pick.RefsOf(found), answer)
}

func (c Options) reading() pick.Reading { return pick.Reading{One: c.One, Numbered: c.Numbered} }

// Meant are the memories that args mean: references, or else words that they are
// found by. None is the person's answer.
func Meant(ctx context.Context, a *term.Run, args []string, c Options) ([]memory.ID, error) {
	words := strings.Fields(strings.Join(args, " "))
	ids, err := pick.Refs(words)
	if err == nil || pick.AllNumbers(words) {
		return ids, err
	}
	return Memories(ctx, a, strings.Join(words, " "), c)
}
