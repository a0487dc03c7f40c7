package term

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"ken/internal/app"
	"ken/internal/color"
	"ken/internal/fault"
	"ken/internal/llm"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/view"
	"ken/internal/wrap"
)

// A Voice is how a run speaks: what was asked for on standard output, all else on standard
// error. It is the same one in the shell. What is said to standard error may be said from several goroutines: conversations that a
// server holds speak by it.
type Voice struct {
	env    *Env
	flags  *Flags
	shell  func() Shell // nil outside the shell
	home   *app.View
	screen *Screen

	saying sync.Mutex       // held while a text is written
	mu     sync.Mutex       // guards what follows
	around func(say func()) // see Interject
	told   map[string]bool  // faults and notes that were told
}

// Println writes text and a line end to standard output, cleaned, and on a terminal
// wrapped at words. Where a text
// quotes several parts that ken did not write itself, each is the caller's to
// clean, so that none takes the next one with it.
func (o *Voice) Println(text string) error {
	return o.printRows(o.screen.Signs(o.env.Stdout, termsafe.Clean(text)))
}

// printRows is Println for a text that others wrote: no sign in it is ken's.
func (o *Voice) printRows(text string) error {
	return o.PrintAsIs(wrap.List(o.env.Stdout, termsafe.Clean(text)))
}

// PrintAsIs is Println without anything done for the width of a terminal: for what is
// code, or the text of a file.
func (o *Voice) PrintAsIs(text string) error {
	_, err := io.WriteString(o.env.Stdout, termsafe.Clean(text)+"\n")
	return err
}

// PrintJSON writes v to standard output in one piece, in a form that no
// terminal acts on.
func (o *Voice) PrintJSON(v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("print JSON: %w", err)
	}
	_, err = o.env.Stdout.Write(append(termsafe.JSONSafe(b), '\n'))
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
func (o *Voice) Say(prefix, text string) {
	text = o.screen.Signs(o.env.Stderr, o.home.Keys.MaskText(text))
	say := func() {
		var b strings.Builder
		for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
			b.WriteString(o.painted(prefix, wrap.Note(o.env.Stderr, prefix, termsafe.Line(line))) + "\n")
		}
		o.saying.Lock()
		defer o.saying.Unlock()
		_, _ = io.WriteString(o.env.Stderr, b.String()) // who does not listen is told nothing
	}
	o.mu.Lock()
	around := o.around
	o.mu.Unlock()
	if around != nil {
		around(say)
		return
	}
	say()
}

// painted is a line that begins with prefix, with who speaks in its colour: errors and
// warnings are seen, notes are not in the way.
func (o *Voice) painted(prefix, line string) string {
	is := color.Dim
	who := strings.TrimRight(prefix, " ")
	switch who {
	case "":
		return line
	case "ken: error:":
		is = color.Bold | color.Red
	case "ken: warning:":
		is = color.Yellow
	}
	return o.screen.Paint(o.env.Stderr, is, who) + line[len(who):]
}

// Interject has everything that is said go through around, which calls say when
// there is room for lines of their own; nil ends that. It is for who shows
// something on the same terminal meanwhile.
func (o *Voice) Interject(around func(say func())) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.around = around
}

// Quiet reports whether nothing is to be said unasked.
func (o *Voice) Quiet() bool {
	cfg, _ := o.home.Settings.InForce()
	return o.flags.Quiet || cfg.UI.Quiet
}

// Warn prints a fault that did not stop the answer, and the next step. What fault.Once
// marks is printed once in a run, what fault.Detail marks only for who asked for more.
func (o *Voice) Warn(err error) {
	if fault.IsDetail(err) && !o.flags.Verbose || o.repeats(err.Error()) && fault.IsOnce(err) {
		return
	}
	next := o.NextStep(err)
	o.Say("ken: warning: ", o.says(err))
	if next != "" {
		o.Say("ken: hint: ", next)
	}
}

// WarnOnce is Warn for a fault that is met again and again.
func (o *Voice) WarnOnce(err error) { o.Warn(fault.Once(err)) }

// repeats reports whether this run printed a text before, and takes note of it.
func (o *Voice) repeats(text string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.told == nil {
		o.told = make(map[string]bool)
	}
	before := o.told[text]
	o.told[text] = true
	return before
}

// show prints an event.
func (o *Voice) show(n fault.Note) {
	text := n.In(o.written)
	if _, ok := n.(interface{ Unused() string }); ok && (!o.flags.Verbose || o.shell() != nil || o.repeats(text)) { // the shell asks instead
		return
	}
	if fault.IsAside(n) && !o.flags.Verbose {
		return
	}
	if u, ok := n.(interface{ Usual() bool }); ok && u.Usual() && !o.flags.Verbose && o.shell() == nil {
		return
	}
	o.Status("%s", text)
}

// Status prints what ken did unasked, unless that was not wanted.
func (o *Voice) Status(format string, args ...any) {
	if o.Quiet() {
		return
	}
	o.Say("[ken] ", fmt.Sprintf(format, args...))
}

// Footnote prints under an answer what may be of interest, faintly, to a person who
// looks at it; a pipe or a file never gets it.
func (o *Voice) Footnote(note func() string) {
	if o.Quiet() || !IsTerminal(o.env.Stdout) || !IsTerminal(o.env.Stderr) {
		return
	}
	text := note()
	if text == "" {
		return
	}
	text = wrap.Note(o.env.Stderr, "[ken] ", termsafe.Line(o.screen.Signs(o.env.Stderr, o.home.Keys.MaskText(text))))
	fmt.Fprintln(o.env.Stderr, o.screen.Paint(o.env.Stderr, color.Dim, text))
}

// Report prints the error that ended a command, unless the person has seen it
// already or need not be, and returns its exit code.
func (o *Voice) Report(err error) int {
	code, next, silent := verdict(err, o.written)
	if silent {
		return code
	}
	o.Say("ken: error: ", o.says(err))
	if next != "" {
		o.Say("ken: hint: ", next)
	}
	return code
}

// ReportNext is for an error that was said in other words already: its next step is said, and only its exit code is left.
func ReportNext(o *Voice, err error) error {
	if _, next, silent := verdict(err, o.written); err != nil && !silent && next != "" {
		o.Say("ken: hint: ", next)
	}
	return Reported(err)
}

// says is what an error says: of a call to a server one sentence to a person at a
// terminal, and the address and all that came back to a log and to who asked for more.
func (o *Voice) says(err error) string {
	text := err.Error()
	if !o.flags.Verbose && wrap.Of(o.env.Stderr) > 0 {
		text = llm.Sentence(err)
	}
	// With which call of the system a file was looked for says nothing to a person.
	if file := (*fs.PathError)(nil); errors.As(err, &file) && !o.flags.Verbose && slices.Contains([]string{"open", "stat", "lstat"}, file.Op) {
		text = strings.Replace(text, file.Error(), file.Path+": "+file.Err.Error(), 1)
	}
	return text
}

// PrintTurns shows turns to a person.
func (o *Voice) PrintTurns(turns []session.Turn) error {
	for _, t := range turns {
		if err := o.printRows(view.TurnText(t, o.screen.Width())); err != nil {
			return err
		}
	}
	return nil
}

// Verb is how a command is written where the person is: "ken undo" outside the
// shell, ":undo" inside.
func (o *Voice) Verb(command string) string {
	if o.shell() != nil {
		return ":" + command
	}
	return "ken " + command
}

// NextStep is what to do after err; "" if that is not known.
func (o *Voice) NextStep(err error) string {
	_, next, _ := verdict(err, o.written)
	return next
}

// written is how a command is written where the person is.
func (o *Voice) written(c fault.Command) string {
	if c == "ask -m NAME" && o.shell() != nil {
		c = "model NAME" // there a preset is chosen by a command of its own
	}
	return o.Verb(string(c))
}
