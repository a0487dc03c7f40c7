package term

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"ken/internal/fault"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// Println writes text and a line end to standard output, cleaned. Where a text
// quotes several parts that ken did not write itself, each is the caller's to
// clean, so that none takes the next one with it.
func (a *Run) Println(text string) error {
	_, err := io.WriteString(a.Env.Stdout, termsafe.Clean(text)+"\n")
	return err
}

// PrintJSON writes v to standard output in one piece, in a form that no
// terminal acts on.
func (a *Run) PrintJSON(v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("print JSON: %w", err)
	}
	_, err = a.Env.Stdout.Write(append(termsafe.JSONSafe(b), '\n'))
	return err
}

// Answer answers a command with v: as JSON if that was asked for, else as its text, which
// is made only then.
func Answer(a *Run, asJSON bool, v any, text func() string) error {
	if asJSON {
		return a.PrintJSON(v)
	}
	return a.Println(text())
}

// Say writes text to standard error, masked, each line of it (a configuration with
// several faults has many) behind prefix.
func (a *Run) Say(prefix, text string) {
	text = a.Home.Keys.MaskText(text)
	say := func() {
		for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
			fmt.Fprintln(a.Env.Stderr, prefix+termsafe.Line(line))
		}
	}
	if a.around != nil {
		a.around(say)
		return
	}
	say()
}

// Interject has everything that is said go through around, which calls say when
// there is room for lines of their own; nil ends that. It is for who shows
// something on the same terminal meanwhile.
func (a *Run) Interject(around func(say func())) { a.around = around }

// Quiet reports whether nothing is to be said unasked.
func (a *Run) Quiet() bool {
	cfg, _ := a.Home.Settings.InForce()
	return a.Flags.Quiet || cfg.UI.Quiet
}

// Warn prints a fault that did not stop the answer, and the next step. What fault.Once
// marks is printed once in a run, what fault.Detail marks only for who asked for more.
func (a *Run) Warn(err error) {
	if fault.IsDetail(err) && !a.Flags.Verbose || a.repeats(err.Error()) && fault.IsOnce(err) {
		return
	}
	next := a.NextStep(err)
	a.Say("ken: warning: ", err.Error())
	if next != "" {
		a.Say("ken: hint: ", next)
	}
}

// WarnOnce is Warn for a fault that is met again and again.
func (a *Run) WarnOnce(err error) { a.Warn(fault.Once(err)) }

// repeats reports whether this run printed a text before, and takes note of it.
func (a *Run) repeats(text string) bool {
	if a.told == nil {
		a.told = make(map[string]bool)
	}
	before := a.told[text]
	a.told[text] = true
	return before
}

// show prints an event.
func (a *Run) show(n fault.Note) {
	text := n.In(a.written)
	if _, ok := n.(interface{ Unused() string }); ok && (!a.Flags.Verbose || a.Shell != nil || a.repeats(text)) { // the shell asks instead
		return
	}
	if fault.IsAside(n) && !a.Flags.Verbose {
		return
	}
	a.Status("%s", text)
}

// Status prints what ken did unasked, unless that was not wanted.
func (a *Run) Status(format string, args ...any) {
	if a.Quiet() {
		return
	}
	a.Say("[ken] ", fmt.Sprintf(format, args...))
}

// Footnote prints under an answer what may be of interest, faintly, to a person who
// looks at it; a pipe or a file never gets it.
func (a *Run) Footnote(note func() string) {
	if a.Quiet() || !IsTerminal(a.Env.Stdout) || !IsTerminal(a.Env.Stderr) {
		return
	}
	text := note()
	if text == "" {
		return
	}
	text = "[ken] " + termsafe.Line(a.Home.Keys.MaskText(text))
	if a.Screen.Color(a.Env.Stderr) {
		text = string(view.Plain.AppendSwitch(nil, view.Dim)) + text + string(view.Dim.AppendSwitch(nil, view.Plain))
	}
	fmt.Fprintln(a.Env.Stderr, text)
}

// Report prints the error that ended a command, unless the person has seen it
// already or need not be, and returns its exit code.
func (a *Run) Report(err error) int {
	code, next, silent := verdict(err, a.written)
	if silent {
		return code
	}
	a.Say("ken: error: ", err.Error())
	if next != "" {
		a.Say("ken: hint: ", next)
	}
	return code
}

// PrintTurns shows turns to a person.
func (a *Run) PrintTurns(turns []session.Turn) error {
	for _, t := range turns {
		if err := a.Println(view.TurnText(t, a.Screen.Width())); err != nil {
			return err
		}
	}
	return nil
}
