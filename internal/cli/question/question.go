package question

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/agent/turn"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/stdin"
	"ken/internal/view"
)

// Of joins what stands on the command line with the files that it names and with what
// standard input holds. "-" asks for standard input whatever it is, as a question or among the
// names of files. The question is from "external" if any of it was not typed on the command line.
func Of(ctx context.Context, a *term.Run, typed string, names []string) (q turn.Question, err error) {
	return of(ctx, a, typed, typed, names)
}

// of is Of for a question in other words than those that were typed.
func of(ctx context.Context, a *term.Run, text, typed string, names []string) (q turn.Question, err error) {
	need := stdin.Extra
	switch {
	case text == "-":
		text, typed, need = "", "", stdin.Demanded
	case slices.Contains(names, "-"):
		need = stdin.Demanded
	case text == "":
		need = stdin.Needed
	}
	files, err := openAll(ctx, a, slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "-" }))
	if err != nil {
		return q, err
	}
	if a.Shell != nil {
		more, err := mentioned(ctx, a, typed)
		if err != nil {
			return q, err
		}
		files = append(files, more...)
	}
	input, err := Stdin(ctx, a, need, "ask")
	if err != nil {
		return q, err
	}
	piped, masked, picture, err := reader(a).Piped([]byte(input))
	switch {
	case err != nil:
		return q, err
	case picture != nil:
		files = append(files, *picture)
	}
	if piped = trimBlank(piped); text == "" && piped == "" {
		if len(files) > 0 {
			return q, fault.Usagef("ask what about %s?", files[0].Name).WithHint(`say it: %s -f %s "..."`, fault.Command("ask"), files[0].Name)
		}
		return q, fault.Usagef("ask what?").WithHint(`%s "..."; or pipe the question in`, fault.Command("ask"))
	}
	tellAttached(a, files)
	if masked > 0 {
		a.Status("%s of what was piped in: masked", view.Count(masked, "value"))
	}
	return withFiles(turn.Question{Text: text, Typed: text, Sentence: typed != ""}, files, piped), nil
}

// Stdin reads standard input for a command called verb, unless it is the shell's: its lines are the
// person's next commands, and no text to go with one. Errors: one of usage where it is needed and closed, or too long.
func Stdin(ctx context.Context, a *term.Run, need stdin.Need, verb string) (string, error) {
	if a.Shell != nil {
		return "", nil
	}
	in := stdin.Reader{
		File: a.Env.Stdin,
		Waiting: func(atMost time.Duration) {
			a.Say("ken: ", fmt.Sprintf("waiting %s for standard input, which is a pipe (</dev/null skips this)", atMost))
		},
		GaveUp: func() { a.Say("ken: warning: ", "nothing came from standard input; going on without it") },
	}
	text, err := in.Text(ctx, need)
	switch {
	case errors.Is(err, stdin.ErrClosed):
		return "", fault.Usagef("%s what? %w", verb, err)
	case errors.Is(err, stdin.ErrTooLong):
		return "", fault.New(fault.Usage, err).WithHint("send a part of it: head -c %d", stdin.MaxBytes)
	}
	return text, err
}

// trimBlank cuts what is blank off the end, and blank lines off the start, but
// no indentation.
func trimBlank(s string) string {
	return strings.TrimLeft(strings.TrimRight(s, " \t\r\n"), "\r\n")
}
