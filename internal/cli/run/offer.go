package run

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ken/internal/ask"
	"ken/internal/cli/term"
	"ken/internal/gate"
	"ken/internal/pty"
	"ken/internal/repl"
	"ken/internal/risk"
	"ken/internal/runner"
	"ken/internal/session/feedback"
	"ken/internal/termsafe"
	"ken/internal/text"
	"ken/internal/tool/lane"
	"ken/internal/wrap"
)

// mostOffered is how many commands of one answer are asked about.
const mostOffered = 20

// An Offerer asks the person about the commands that an answer offers, and has those
// run that they want.
type Offerer struct {
	App *term.Run
	// Exec runs a line as if the person had typed it, with run in place of their own
	// shell; a line about ken itself is done by ken.
	Exec func(ctx context.Context, line string, run func(context.Context, string) (pty.Result, error)) error
	// Remember keeps the line that ran in the history of what was typed.
	Remember func(line string)
	// Begin has the person edit a line; nil where lines cannot be edited.
	Begin func(line string)

	refused map[string]bool // what the person said no to in this run
	ran     bool            // a command of the last answer
	fate    fate
}

// Ran reports whether a command of the last answer ran.
func (o *Offerer) Ran() bool { return o.ran }

// errLeave ends the asking about an answer.
var errLeave = errors.New("left")

// Offer goes through the commands, in order. What a command does may change what the
// next one would do, so each is judged when its turn comes. Only the end of ctx is an
// error: a question that cannot be asked is reported, and ends the asking.
//
// answer is what they stand in, which was shown already, and n the number of its turn.
func (o *Offerer) Offer(ctx context.Context, n int, answer string, commands []string) error {
	a := o.App
	o.ran = false
	if len(commands) == 0 || a.Shell == nil || !a.Shell.Terminal().Asks {
		return nil
	}
	if a.Lane.In() {
		a.Status("the commands of the answer are not offered where %s acts", a.Lane.Origin())
		return nil
	}
	defer func() {
		if cfg, _ := a.Home.Settings.InForce(); o.ran && ctx.Err() == nil && !cfg.Shell.GoOn {
			a.Status(":go has the model go on from what was printed")
		}
	}()
	for i, line := range commands[:min(len(commands), mostOffered)] {
		o.fate = fate{n: n, nr: i, line: line}
		err := o.one(ctx, line, i+1, len(commands), len(commands) == 1 && endsWith(answer, line))
		switch {
		case errors.Is(err, errLeave):
			if left := len(commands) - i - 1; left > 0 {
				notAsked(a, left)
			}
			return nil
		case errors.Is(err, repl.ErrInterrupted):
			a.Status("not run")
			o.became(feedback.Rejected)
			return nil
		case err != nil && ctx.Err() != nil:
			return err
		case err != nil:
			a.Report(err)
			return nil
		}
	}
	if left := len(commands) - mostOffered; left > 0 {
		notAsked(a, left)
	}
	return nil
}

// endsWith reports whether a command is the last thing that an answer shows, so that it need not
// be shown once more: as it is, letter by letter, with nothing in it that does not show itself.
func endsWith(answer, line string) bool {
	for i := range len(line) {
		if line[i] < ' ' || line[i] > '~' {
			return false
		}
	}
	if line != termsafe.Unpad(termsafe.Visible(line)) {
		return false
	}
	return strings.HasSuffix("\n"+strings.TrimRight(answer, " \r\n"), "\n"+gate.CommandMark+line)
}

// notAsked says how many commands are left.
func notAsked(a *term.Run, left int) {
	verb := "were"
	if left == 1 {
		verb = "was"
	}
	a.Status("%s of the answer %s not asked about", text.Count(left, "more command"), verb)
}

// one asks about one command.
// seen says that it stands right above.
func (o *Offerer) one(ctx context.Context, line string, nr, of int, seen bool) error {
	a := o.App
	r := Runner(a)
	d, err := r.Open(ctx)
	if err != nil {
		a.Report(err)
		return errLeave
	}
	cfg, _ := a.Home.Settings.Read() // it is open
	asks := risk.Caution             // without a question only what is safe
	if cfg.Shell.ConfirmCmd {
		asks = risk.Safe
	}
	dec := d.Decide(line, asks)
	switch dec.Action {
	case gate.Allow:
		a.Status("runs: %s", dec.Why)
		return o.run(ctx, d, line, dec, dec.How, true)
	case gate.Deny:
		o.show(line, dec, nr, of, false, false)
		a.Status("not run: %s", dec.Why)
		d.Note(ctx, line, runner.LaneUser, gate.HowDeny, dec)
		o.became(feedback.Rejected)
		return nil
	}
	card := o.show(line, dec, nr, of, seen && a.Home.Keys.MaskText(line) == line, true)
	how, err := o.ask(ctx, d, line, dec, card)
	if err != nil {
		return err
	}
	if err := d.Approve(ctx, &dec, how); err != nil {
		a.Report(err)
		how = gate.HowRefused
	}
	switch {
	case !dec.Is(line, r.Here()):
		return nil // asked about something else
	case how == gate.HowRefused:
		if o.refused == nil {
			o.refused = make(map[string]bool)
		}
		o.refused[line] = true
		d.Note(ctx, line, runner.LaneUser, how, dec)
		o.became(feedback.Rejected)
		return nil
	}
	return o.run(ctx, d, line, dec, how, false)
}

// show shows what is offered: no more than what to think of it where the command was just seen,
// unless it is dangerous. It gives the card that there was, if any; asked says that a question follows.
func (o *Offerer) show(line string, d gate.Decision, nr, of int, seen, asked bool) (card *Card) {
	a := o.App
	if seen && d.Level != risk.Danger {
		a.Say("", judged(a, d))
	} else {
		title := "the model offers to run"
		if of > 1 {
			title = fmt.Sprintf("the model offers to run, %d of %d", nr, of)
		}
		if n := strings.Count(line, "\n"); n > 0 {
			title += fmt.Sprintf(", %d lines", n+1)
		}
		card = showLine(a, title, line, d, asked)
	}
	if o.refused[line] {
		a.Say("", "  you said no to this before")
	}
	return card
}

// Show shows a line for a question that has a key for the rest of it, with its level and why, under a title.
func Show(a *term.Run, title, line string, d gate.Decision) *Card {
	return showLine(a, title, line, d, true)
}

func showLine(a *term.Run, title, line string, d gate.Decision, asked bool) *Card {
	to := a.Env.Stderr
	card := cardOf(a, line, nil)
	fmt.Fprintln(to, wrap.Note(to, "[ken] ", title+":"))
	card.show(asked)
	fmt.Fprintln(to, wrap.List(to, a.Screen.Signs(to, judged(a, d))))
	return card
}

// judged is the level of a command, and why.
func judged(a *term.Run, d gate.Decision) string {
	return "  " + levelText(a, d.Level) + "  " + termsafe.Line(runner.Because(d))
}

// ask asks what to do with a command until that is clear. how is "" where nothing is to be done with it.
func (o *Offerer) ask(ctx context.Context, d *runner.Gate, line string, dec gate.Decision, card *Card) (how gate.How, err error) {
	a := o.App
	q := question{edit: o.Begin != nil, copy: !a.Person.Lines(), card: card}
	for {
		how, said, err := askRun(ctx, a, d.Request(line, dec), q)
		if err != nil || how != "" {
			return how, err
		}
		switch said {
		case ask.Edit:
			o.Begin("$" + line)
			o.fate.edits = true
			if termsafe.Clean(line) != line {
				a.Status("what did not show in it was taken out")
			}
			return "", errLeave
		case ask.Copy:
			if err := Copy(ctx, a, line, "the command"); err != nil {
				a.Report(err)
			}
		case ask.Stop:
			d.Note(ctx, line, runner.LaneUser, gate.HowRefused, dec)
			a.Status("not run")
			o.became(feedback.Rejected)
			return "", errLeave
		}
	}
}

// A question says which answers there are besides run and no.
type question struct {
	edit    bool
	copy    bool
	outside bool // of a shell: there is no session
	card    *Card
}

// askRun asks about a command until it is answered. how is "" if the answer decides nothing about it; then it is one
// that only the caller knows what to do with, or ask.Stop.
func askRun(ctx context.Context, a *term.Run, r runner.Request, with question) (how gate.How, said ask.Answer, err error) {
	level := r.Decision.Level
	q := ask.Question{Asks: "run it?", Danger: level == risk.Danger, Choices: []ask.Choice{{Answer: ask.Yes, Says: "run"}}}
	add := func(is bool, c ask.Choice) {
		if is {
			q.Choices = append(q.Choices, c)
		}
	}
	add(with.edit, ask.Choice{Answer: ask.Edit})
	add(true, ask.Choice{Answer: ask.Why})
	add(with.card.More(), ask.Choice{Answer: ask.More})
	add(with.copy, ask.Choice{Answer: ask.Copy})
	add(r.Session && !with.outside, ask.Choice{Answer: ask.Session})
	if r.Always {
		add(true, ask.Choice{Answer: ask.Always, Says: termsafe.Visible(r.Pattern.Shape())})
	}
	add(MayTry(level), ask.Choice{Answer: ask.Try, Hidden: true}) // said where it is asked why: the question has no room
	for {
		said, err := a.Person.Put(ctx, q)
		switch {
		case errors.Is(err, repl.ErrNoTerminal):
			return gate.HowRefused, said, nil
		case err != nil:
			return "", said, err
		}
		switch said {
		case ask.Yes:
			return gate.HowOnce, said, nil
		case ask.Session:
			return gate.HowSession, said, nil
		case ask.Always:
			return gate.HowAlways, said, nil
		case ask.No:
			return gate.HowRefused, said, nil
		case ask.Why:
			Why(ctx, a, r.Decision)
			sayTry(a, level)
		case ask.More:
			with.card.All(ctx)
		case ask.Try:
			Try(ctx, a, r.Line)
		default:
			return "", said, nil
		}
	}
}

// run runs a command in the person's lane. named says that it is to be shown first, since nobody
// was asked about it.
func (o *Offerer) run(ctx context.Context, d *runner.Gate, line string, dec gate.Decision, how gate.How, named bool) error {
	a := o.App
	o.ran = true
	d.Note(ctx, line, runner.LaneUser, how, dec)
	if o.Remember != nil {
		o.Remember("$" + line)
	}
	exit := 0
	err := o.Exec(ctx, line, func(ctx context.Context, line string) (res pty.Result, err error) {
		defer func() { exit = res.Code }()
		if env := a.Env.Environ; dec.Level == risk.Safe && env != nil {
			a.Env.Environ = func() []string { return lane.Calm(env()) }
			defer func() { a.Env.Environ = env }()
		}
		return runFramed(ctx, a, d.Shell, line, frame{named: named, model: true})
	})
	if o.became(feedback.Accepted); exit != 0 || err != nil {
		o.became(feedback.Failed)
		o.fate.fails = true
	}
	if err != nil && ctx.Err() == nil {
		a.Report(err)
		return nil
	}
	return err
}
