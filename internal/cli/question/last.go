package question

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"ken/internal/agent"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/pty"
	"ken/internal/regular"
	"ken/internal/termsafe"
)

// lastVariable names the file in which the shell writes its last line down, which the
// script of "ken init" has it do: in a directory of the person's own, 0600.
//
//	ken-shell 1
//	exit 2
//	dir /home/ada/src
//	hidden                        only if the line is one that the shell keeps to itself
//	line                          and everything after it is the line
//	  501  make test
//
// The number before the line is there where the shell is bash.
const lastVariable = "KEN_SHELL_STATE"

// WhatWentWrong is what is asked of the last line where nothing else is.
const WhatWentWrong = "What went wrong there, if anything, and what do I do next?"

const (
	header    = "ken-shell 1"
	maxFile   = 64 << 10 // bytes of the file that are read
	maxOutput = 12 << 10 // bytes of the output that go with a question, the last ones
	reach     = 2000     // lines of the terminal that are looked through
)

// A lastLine is a command line that was run.
type lastLine struct {
	Text   string // "" if Hidden
	Exit   int
	Dir    string
	Hidden bool // the shell keeps it out of its history, and so does ken
}

// parseLast reads the file.
func parseLast(b []byte) (lastLine, error) {
	var l lastLine
	text := string(b)
	first, rest, _ := strings.Cut(text, "\n")
	if first != header {
		return l, errors.New("its first line is not " + header)
	}
	exit := false
	for {
		head, after, more := strings.Cut(rest, "\n")
		key, value, _ := strings.Cut(head, " ")
		switch key {
		case "exit":
			var err error
			if l.Exit, err = strconv.Atoi(value); err != nil {
				return l, fmt.Errorf("exit code %q", value)
			}
			exit = true
		case "dir":
			l.Dir = value
		case "hidden":
			l.Hidden = true
		case "line":
			l.Text = numberless(strings.TrimRight(after, "\n"))
		}
		if key == "line" || !more {
			break
		}
		rest = after
	}
	if !exit {
		return l, errors.New("it does not say how the line ended")
	}
	if l.Hidden {
		l.Text = ""
	}
	return l, nil
}

// numberless cuts off the number that bash puts before a line of its history: blanks,
// digits, a star where it was edited, two blanks.
func numberless(s string) string {
	rest := strings.TrimLeft(s, " ")
	digits := strings.TrimLeft(rest, "0123456789")
	if digits == rest || rest == s {
		return s
	}
	if after, ok := strings.CutPrefix(strings.TrimPrefix(digits, "*"), " "); ok {
		return strings.TrimPrefix(after, " ")
	}
	return s
}

// readLast reads the last line of the shell that this process was started from.
func readLast(a *term.Run) (lastLine, error) {
	path := a.Env.Getenv(lastVariable)
	if path == "" {
		return lastLine{}, fault.New(fault.Failure, errors.New("this shell does not report its commands to ken")).
			WithHint(`put this where the shell starts, for bash: eval "$(ken init bash)"; for zsh and fish: ken help init`)
	}
	f, err := regular.Open(path)
	if err != nil {
		return lastLine{}, fmt.Errorf("the last command: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return lastLine{}, fmt.Errorf("the last command: %w", err)
	}
	l, err := parseLast(b)
	if err != nil {
		return l, fmt.Errorf("the last command: %s: %w", path, err)
	}
	return l, nil
}

// WithLast adds the last line to a question, marked as what it is: text to read, like what
// is piped in. output adds what it printed.
func WithLast(ctx context.Context, a *term.Run, question string, output bool) (string, error) {
	l, err := readLast(a)
	if err != nil {
		return "", err
	}
	if l.Text == "" {
		return "", fault.New(fault.Failure, errors.New("the last command is not in the shell's history")).
			WithHint("run it again without a blank in front; or pipe: COMMAND 2>&1 | ken ask ...")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The last command line in my shell:\n$ %s\n(exit %d, in %s)\n", termsafe.Clean(l.Text), l.Exit,
		termsafe.Line(a.Home.Settings.Short(l.Dir)))
	if output {
		text, err := printed(ctx, a, l)
		if err != nil {
			return "", err
		}
		b.WriteString("What it printed:\n" + text)
	}
	return agent.Piped(question, strings.TrimRight(b.String(), "\n")), nil
}

// printed is what the last line printed, as far as tmux still shows it. A line is never
// run again for it.
func printed(ctx context.Context, a *term.Run, l lastLine) (string, error) {
	pane := a.Env.Getenv("TMUX_PANE")
	if pane == "" || a.Env.Getenv("TMUX") == "" {
		return "", fault.New(fault.Failure, errors.New("what a command printed is known inside tmux only")).
			WithHint("run it again into ken: COMMAND 2>&1 | ken ask ...")
	}
	var screen bytes.Buffer
	c := pty.Command{
		Argv: []string{"tmux", "capture-pane", "-p", "-J", "-S", fmt.Sprint(-reach), "-t", pane},
		Dir:  a.Env.Dir, Out: &screen,
	}
	if a.Env.Environ != nil {
		c.Env = a.Env.Environ()
	}
	r, err := pty.Run(ctx, c)
	if err == nil && r.Code != 0 {
		err = errors.New(termsafe.Line(screen.String()))
	}
	if err != nil {
		return "", fmt.Errorf("ask tmux what the command printed: %w", err)
	}
	text, ok := between(termsafe.Clean(screen.String()), l.Text)
	if !ok {
		return "", fault.New(fault.Failure, errors.New("what the last command printed is not on the screen any more")).
			WithHint("run it again into ken: COMMAND 2>&1 | ken ask ...")
	}
	return text, nil
}

// between finds on a screen what stands between the line on which command was typed
// last and the last line that is not empty, where the person asks for it. Of a long text it is the
// end. ok is false if the command is not there.
func between(screen, command string) (text string, ok bool) {
	lines := strings.Split(strings.TrimRight(screen, "\n "), "\n")
	first, _, _ := strings.Cut(strings.TrimSpace(command), "\n")
	many := strings.Count(strings.TrimSpace(command), "\n")
	first = strings.TrimRight(first, " ")
	for i := len(lines) - 2; i >= 0; i-- {
		if !strings.HasSuffix(strings.TrimRight(lines[i], " "), first) {
			continue
		}
		from := min(i+1+many, len(lines)-1)
		text = strings.Join(lines[from:len(lines)-1], "\n")
		if cut := len(text) - maxOutput; cut > 0 {
			text = text[cut:]
			if i := strings.IndexByte(text, '\n'); i >= 0 {
				text = text[i+1:]
			}
			text = "[... the beginning was left out ...]\n" + text
		}
		return text, true
	}
	return "", false
}
