package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"ken/internal/agent/loop"
	"ken/internal/ask"
	"ken/internal/cli/term"
	"ken/internal/color"
	"ken/internal/gate"
	"ken/internal/repl"
	"ken/internal/risk"
	"ken/internal/runner"
	"ken/internal/termsafe"
)

// Tools shows what a model does while its question is answered: a line for each call, and what commands
// print between two rules. Where somebody reads nothing but the answer, nothing is shown.
func Tools(a *term.Run) loop.Watch {
	to := a.Env.Stderr // the output of a question alone is the answer
	if a.Shell != nil && term.IsTerminal(a.Env.Stdout) {
		to = a.Env.Stdout
	}
	w := &watch{a: a, to: to}
	return loop.Watch{Begun: w.begun, Ended: w.ended, Live: w}
}

// Loop is what a model acts with in this run, which the person is asked about at its terminal. Its first question
// waits so long for tool servers.
func Loop(a *term.Run, wait time.Duration) *loop.Loop {
	return loop.New(a.Home, Runner(a), loop.Options{Servers: a.Servers, Wait: wait})
}

// A watch is one question as it is shown. It implements io.Writer for what commands print.
type watch struct {
	a     *term.Run
	to    io.Writer
	title string
	open  bool // something of the command was printed
	end   byte // the last of it
}

func (w *watch) begun(title string) { w.title, w.open = title, false }

// Write shows what a command prints, which is clean.
func (w *watch) Write(p []byte) (int, error) {
	if len(p) == 0 || w.a.Quiet() {
		return len(p), nil
	}
	if !w.open {
		w.open = true
		if err := rule(w.a, w.to, forModel+w.a.Home.Keys.MaskText(strings.TrimPrefix(w.title, "$ ")), true); err != nil {
			return 0, err
		}
	}
	w.end = p[len(p)-1]
	return w.to.Write(p)
}

// ended shows what came of a call.
func (w *watch) ended(title, outcome string) {
	if !w.open {
		const most = 100
		w.a.Status("%s: %s", termsafe.Cut(termsafe.Line(title), most), outcome)
		return
	}
	if w.end != '\n' {
		_, _ = io.WriteString(w.to, "\n") // what fails here fails at the rule
	}
	if err := rule(w.a, w.to, outcome, true); err != nil {
		w.a.Report(err)
	}
	w.open = false
}

// ShowOperation shows what is no command line for a question that has a key for the rest of it, with its level and why.
func ShowOperation(a *term.Run, who string, d *runner.Operation) *Card {
	const most = 200
	title, body := termsafe.Line(d.Title), a.Home.Keys.MaskText(d.Shown)
	if short := termsafe.Cut(title, most); short != title { // it is a part of what a yes is for
		title, body = short, d.Title+"\n"+body
	}
	a.Say("[ken] ", who+" "+title+":")
	var card *Card
	if body != "" {
		card = differenceOf(a, body)
		card.show(true)
	}
	a.Say("", fmt.Sprintf("  %s  %s", levelText(a, d.Level), d.Because()))
	return card
}

// differenceOf is a card of a difference.
func differenceOf(a *term.Run, text string) *Card {
	return cardOf(a, flat(text), difference)
}

// askOperation puts what is no command line before the person, with its level and why.
func askOperation(ctx context.Context, a *term.Run, q runner.Request) (gate.How, error) {
	d := q.Operation
	card := ShowOperation(a, "the model wants to", d)
	ops := ask.Question{Asks: "do it?", Danger: d.Level == risk.Danger, Choices: []ask.Choice{{Answer: ask.Yes}}}
	if q.Session && a.Shell != nil {
		says := string(ask.Session)
		if d.Lasting != "" {
			says += " (" + d.Lasting + ")"
		}
		ops.Choices = append(ops.Choices, ask.Choice{Answer: ask.Session, Says: says})
	}
	if card.More() {
		ops.Choices = append(ops.Choices, ask.Choice{Answer: ask.More})
	}
	ops.Choices = append(ops.Choices, ask.Choice{Answer: ask.Because, Says: "no, and why"})
	for {
		said, err := a.Person.Put(ctx, ops)
		switch {
		case term.NoTerminal(err):
			return "", runner.ErrNobody
		case err != nil:
			return "", err
		}
		switch said {
		case ask.More:
			card.All(ctx)
			continue
		case ask.Yes:
			return gate.HowOnce, nil
		case ask.Session:
			return gate.HowSession, nil
		case ask.Because:
			return "", whyNot(ctx, a)
		case ask.Stop: // Ctrl-C, or nobody is there any more
			return "", &runner.Declined{Stopped: true}
		}
		return gate.HowRefused, nil
	}
}

// whyNot asks a person who said no for their reason, and is that answer. Without one the error is that of asking.
func whyNot(ctx context.Context, a *term.Run) error {
	var words string
	err := a.Person.OnTerminal(func(t *repl.Terminal) (err error) {
		words, err = t.Ask(ctx, "why not? ")
		return err
	})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case term.Interrupted(err), errors.Is(err, io.EOF):
		return &runner.Declined{Stopped: true}
	case err != nil:
		return err
	}
	return &runner.Declined{Words: strings.TrimSpace(words)}
}

// flat is a text whose tabs are as wide as most people have them: they are no sign that hides.
func flat(text string) string { return strings.ReplaceAll(strings.TrimRight(text, "\n"), "\t", "    ") }

// difference is a card with the rows that come and go in colours, where those are wanted.
func difference(a *term.Run, card string) string {
	var b strings.Builder
	for row := range strings.Lines(card) {
		text := strings.TrimSuffix(row, "\n")
		switch {
		case strings.HasPrefix(text, bar+"+") && !strings.HasPrefix(text, bar+"+++"):
			text = a.Screen.Paint(a.Env.Stderr, color.Green, text)
		case strings.HasPrefix(text, bar+"-") && !strings.HasPrefix(text, bar+"---"):
			text = a.Screen.Paint(a.Env.Stderr, color.Red, text)
		}
		b.WriteString(text + "\n")
	}
	return b.String()
}
