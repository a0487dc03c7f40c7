package chat

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"ken/internal/agent"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/stdin"
	"ken/internal/termsafe"
)

// question joins what stands on the command line with what standard input
// holds. "-" asks for standard input whatever it is. from is "external" if any
// of the text was not typed on the command line.
func question(ctx context.Context, a *term.Run, typed string) (text, from string, err error) {
	need := stdin.Extra
	switch typed {
	case "-":
		typed, need = "", stdin.Demanded
	case "":
		need = stdin.Needed
	}
	input, err := readStdin(ctx, a, need)
	if err != nil {
		return "", "", err
	}
	input = trimBlank(termsafe.Clean(input))
	switch {
	case typed == "" && input == "":
		return "", "", fault.Usagef("ask what?").WithHint(`%s "..."; or pipe the question in`, fault.Command("ask"))
	case input == "":
		return typed, "", nil
	case typed == "":
		return agent.Piped("", input), "external", nil
	}
	return agent.Piped(typed, input), "external", nil
}

// readStdin reads standard input, unless it is the shell's: its lines are the
// person's next commands, and no text to go with a question.
func readStdin(ctx context.Context, a *term.Run, need stdin.Need) (string, error) {
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
		return "", fault.Usagef("ask what? %w", err)
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
