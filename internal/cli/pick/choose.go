package pick

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/repl"
	"ken/internal/wrap"
)

// ErrNoMatch says that nothing is meant by a text.
var ErrNoMatch = errors.New("nothing matches")

// mostListed is how many matches a person is asked to choose from.
const mostListed = 9

// Options is what a person is asked about things that a text may mean.
type Options struct {
	Verb    string // what would be done: "forget"
	Command string // that does it to a reference: "memory pin"; "" is Verb
	One     bool   // with one of them only
	Clear   bool   // what can hardly mean another is taken without a question
	Any     bool   // all that match are taken without a question: nothing is done with them
	// Numbered says that the references are too long to be typed: the matches
	// are numbered instead.
	Numbered bool
}

// Memories finds the memories that text may mean and asks the person which
// of them is meant. None is their answer, which silence is as well.
//
// Errors: one that wraps ErrNoMatch; without a person, one that asks for the exit
// code of a refusal, after the matches were printed.
func Memories(ctx context.Context, a *term.Run, text string, c Options) ([]memory.ID, error) {
	l, err := app.OpenLibrary(ctx, a.Home, index.Memory)
	if err != nil {
		return nil, err
	}
	found, err := l.Find(ctx, app.Query{Text: text})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fault.New(fault.NotFound, fmt.Errorf("%w %q", ErrNoMatch, text)).
			WithHint("see what there is: %s", fault.Command("memory list"))
	}
	refs, err := Choose(ctx, a, found, text, c)
	if err != nil {
		return nil, err
	}
	ids := make([]memory.ID, len(refs))
	for i, ref := range refs {
		if ids[i], err = memory.ParseID(ref); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// Choose asks which of found, at least one, text means, and gives their
// references. It fails like Memories.
func Choose(ctx context.Context, a *term.Run, found []app.Found, text string, c Options) ([]string, error) {
	if c.Any {
		return refsOf(found), nil
	}
	if ref := clear(found, text); ref != "" && c.Clear {
		return []string{ref}, nil
	}
	more := max(len(found)-mostListed, 0)
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

// clear is the reference of what text means beyond doubt: the only match, or the
// only one that says just that; "" if there is none.
func clear(found []app.Found, text string) string {
	if len(found) == 1 {
		return found[0].Ref
	}
	ref := ""
	for _, f := range found {
		if strings.EqualFold(strings.Join(strings.Fields(f.Content), " "), strings.Join(strings.Fields(text), " ")) {
			if ref != "" {
				return ""
			}
			ref = f.Ref
		}
	}
	return ref
}

// askWhich asks which of found is meant.
func askWhich(ctx context.Context, t *repl.Terminal, found []app.Found, c Options) ([]string, error) {
	if len(found) == 1 {
		yes, err := t.Confirm(ctx, c.Verb+" it?")
		if err != nil || !yes {
			return nil, err
		}
		return refsOf(found), nil
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
	return Chosen(refsOf(found), answer, c)
}

// Chosen are those of all that an answer names, each once. One that
// names anything else names nothing: a slip of the finger must do no harm.
func Chosen(all []string, answer string, c Options) (refs []string, err error) {
	words := strings.FieldsFunc(answer, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' })
	if len(words) == 1 {
		switch strings.ToLower(words[0]) {
		case "all", "y", "yes":
			if !c.One {
				return all, nil
			}
		case "n", "no", "none":
			return nil, nil
		}
	}
	for _, w := range words {
		ref := strings.Trim(w, "#[]")
		if n, err := strconv.Atoi(ref); c.Numbered && err == nil && n >= 1 && n <= len(all) {
			ref = all[n-1]
		}
		if !slices.Contains(all, ref) {
			return nil, fault.Usagef("%q is not in the list; nothing was done", w)
		}
		if !slices.Contains(refs, ref) {
			refs = append(refs, ref)
		}
	}
	if c.One && len(refs) > 1 {
		return nil, fault.Usagef("one at a time; nothing was done")
	}
	return refs, nil
}

func refsOf(found []app.Found) []string {
	refs := make([]string, len(found))
	for i, f := range found {
		refs[i] = f.Ref
	}
	return refs
}
