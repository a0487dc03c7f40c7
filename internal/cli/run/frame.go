package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"mvdan.cc/sh/v3/syntax"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/pty"
	"ken/internal/termsafe"
	"ken/internal/tool/lane"
	"ken/internal/view/safety"
)

// Joined makes a command line of arguments: one is a line already, several are quoted,
// so that each stays one word.
func Joined(args []string) (string, error) {
	if len(args) == 1 {
		return args[0], nil
	}
	words := make([]string, len(args))
	for i, arg := range args {
		var err error
		if words[i], err = syntax.Quote(arg, syntax.LangPOSIX); err != nil {
			return "", fault.Usagef("argument %d: %v", i+1, err)
		}
	}
	return strings.Join(words, " "), nil
}

// AsJSON runs a line in the person's lane and prints one JSON object about it.
func AsJSON(ctx context.Context, a *term.Run, line string) error {
	r, err := Bare(ctx, a, line, io.Discard)
	if err != nil {
		return err
	}
	text, _ := lane.Text(r.Output)
	err = a.PrintJSON(safety.Exec{Command: line, Exit: r.Code, Bytes: r.Bytes, Output: text})
	if err == nil && r.Code != 0 {
		err = term.Reported(term.Exit(r.Code, fmt.Errorf("exit code %d", r.Code)))
	}
	return err
}

// Framed runs a line in the person's lane, between two rules: on the terminal, or on
// standard error if the output goes elsewhere.
func Framed(ctx context.Context, a *term.Run, line string) (pty.Result, error) {
	return runFramed(ctx, a, "", line, frame{named: true, ended: true})
}

// A frame is what stands around the output of a command.
type frame struct {
	named bool // the command, before it
	model bool // it is of an answer, and not what the person typed
	ended bool // the exit code behind it, also where that is 0
}

// runFramed is Framed with another shell than the person's, unless that is "".
func runFramed(ctx context.Context, a *term.Run, program, line string, f frame) (pty.Result, error) {
	to := a.Env.Stdout
	shown := term.IsTerminal(to)
	switch {
	case shown:
	case a.Quiet() || a.Shell == nil && !term.IsTerminal(a.Env.Stderr):
		return runWith(ctx, a, program, line, a.Env.Stdout)
	default:
		to = a.Env.Stderr // the output is a program's to read
	}
	if f.named {
		text := a.Home.Keys.MaskText(line)
		if f.model {
			text = forModel + text
		}
		if err := rule(a, to, text, f.model); err != nil {
			return pty.Result{}, err
		}
	}
	r, err := runWith(ctx, a, program, line, a.Env.Stdout)
	if errors.Is(err, syscall.EPIPE) || ctx.Err() != nil {
		return r, err
	}
	text, _ := lane.Text(r.Output)
	if shown && text != "" && !strings.HasSuffix(text, "\n") {
		_, werr := io.WriteString(to, "\n") // so that the rule has a line of its own
		err = errors.Join(err, werr)
	}
	if r.Code == 0 && !f.ended {
		return r, err
	}
	return r, errors.Join(err, rule(a, to, fmt.Sprintf("exit %d", r.Code), f.model))
}

// forModel is what a rule says before a command that the person did not type.
const forModel = "ken ran, for the model: "

// rule prints a line across the terminal that says text; where there is none, a short one. That of a model's command is of
// another stroke than that of the person's own.
func rule(a *term.Run, to io.Writer, text string, model bool) error {
	plain := a.Env.Getenv("TERM") == "dumb" || !a.Screen.Unicode()
	dash := "─"
	switch {
	case model && plain:
		dash = "."
	case model:
		dash = "┄"
	case plain:
		dash = "-"
	}
	width := a.Screen.Width()
	most := width
	if width == 0 {
		most = 80
	}
	text = dash + dash + " " + a.Screen.Cut(termsafe.Line(text), most-6) + " "
	_, err := io.WriteString(to, text+strings.Repeat(dash, max(width-termsafe.Width(text), 2))+"\n")
	return err
}
