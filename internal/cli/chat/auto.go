package chat

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"ken/internal/agent/turn"
	"ken/internal/cli/auto"
	"ken/internal/cli/run"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/repl"
)

// autoCommand has a model work on a goal by itself.
func (s *REPL) autoCommand() *cobra.Command {
	var plan bool
	cmd := &cobra.Command{
		Use: "auto",
		Long: `Auto has the model work on a goal step by step until it says that it is reached. What only
reads runs unasked, and what you allowed beforehand (safety.allow, approvals for good); all
else halts the run: p proceeds with this one act, s skips it, Enter aborts. A danger always
halts. auto.max_steps, auto.max_time, auto.max_tokens and auto.max_cost bound a run; Ctrl-N or
Ctrl-C ends it after the act in hand, Ctrl-C again at once. What was done is told at the end, and by
ken sessions account. Without a goal it goes on with the last run, if that has no end.
With --plan the model writes a plan first, with what each command of it could do beside
it; nothing is done before you have agreed to it, as it is or as you changed it.`,
		Example:     "  :auto count the Go files changed this week\n  :auto --plan tidy up the tests\n  :auto\n  :norris off",
		Annotations: term.Writes{Own: "the conversation"}.Note(term.TextArgument()),
		RunE: func(cmd *cobra.Command, args []string) error {
			goal := strings.TrimSpace(strings.Join(args, " "))
			if goal == "off" {
				s.app.Status("no run is on; while one is, Ctrl-N or Ctrl-C ends it")
				return nil
			}
			if plan && goal == "" {
				return fault.Usagef("auto: a plan for which goal?").WithHint(":auto --plan GOAL")
			}
			return s.auto(cmd.Context(), goal, plan)
		},
	}
	cmd.Flags().BoolVar(&plan, "plan", false, "have it write a plan first, and ask you about it")
	return cmd
}

// mayRun refuses runs to who is no person.
func mayRun(a *term.Run) error {
	if a.Lane.In() {
		return fault.Refusedf("nothing runs by itself where %s acts", a.Lane.Origin())
	}
	return nil
}

// auto has a goal worked on, with plan by a plan that the person agrees to first; "": that of the run that has no end.
func (s *REPL) auto(ctx context.Context, goal string, plan bool) error {
	a := s.app
	if err := mayRun(a); err != nil {
		return err
	}
	if !s.term.Asks {
		return fault.Refusedf("a run by itself begins at a terminal, where it can halt").
			WithHint("without one: ken ask --auto GOAL")
	}
	r, err := auto.New(a, goal, plan)
	if goal == "" {
		r, err = auto.Resume(ctx, a, s.dialog.Path())
	}
	if err != nil || r == nil {
		return err
	}
	auto.Banner(a, r)
	out := &aside{printer: &printer{a: a}}
	defer out.over()
	work, stop := s.interruptible(ctx, out, r.Stop)
	defer stop()
	q := turn.Question{Text: r.Goal(), Auto: r, Sentence: true}
	ans, err := s.dialog.Ask(work, q, turn.Events{
		Sends: out.begin, Delta: out.show, Paused: out.end, Tools: run.Tools(a), Step: func(nr int) { auto.Step(a, r, nr) },
	})
	if ans.Model == "" {
		return s.noModel(err)
	}
	if perr := out.end(); perr != nil {
		return perr
	}
	tellAnswer(a, ans.Answer, s.maxTurns)
	answered(work, a, s.dialog, ans)
	o, _ := r.Outcome()
	if o == "" {
		return err
	}
	if o != "done" && o != "stopped" {
		defer s.notable("auto", "")
	}
	switch aerr := auto.Account(a, s.dialog.Path(), r); {
	case errors.Is(err, repl.ErrInterrupted):
		err = nil
	case aerr != nil:
		a.Report(aerr)
	case auto.Says(r, err):
		err = term.ReportNext(a.Voice, err)
	}
	return s.answered(ctx, err)
}

// goOnRun is :auto as the first line of a shell.
func (s *REPL) goOnRun(ctx context.Context) error {
	work, stop := s.term.Interruptible(ctx)
	defer stop()
	return s.Do(work, repl.Command, "auto")
}

// An aside is a printer beside which another goroutine may say something, unless an answer is shown.
type aside struct {
	*printer
	mu    sync.Mutex
	shows bool
}

func (p *aside) begin(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shows = true
	p.printer.begin(name)
}

func (p *aside) end() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shows = false
	return p.printer.end()
}

// status says a line, or nothing while an answer is shown.
func (p *aside) status(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.shows {
		p.a.Status("%s", text)
	}
}

// interruptible is a context in which a run goes on after the first interrupt, or the key that begins one, to the end of the
// act in hand; the next interrupt ends it.
func (s *REPL) interruptible(ctx context.Context, out *aside, end func()) (context.Context, func()) {
	work, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	var stopping sync.Once
	stops := func() (first bool) {
		stopping.Do(func() {
			first = true
			end()
			out.status("it ends after the act in hand; Ctrl-C: at once") // an answer ends at once
		})
		return first
	}
	unwatch := s.term.Watch("auto", func() { stops() })
	done := make(chan struct{})
	go func() {
		select {
		case <-done:
			return
		case <-ctx.Done():
		}
		if cause := context.Cause(ctx); !errors.Is(cause, repl.ErrInterrupted) {
			cancel(cause)
			return
		}
		if !stops() {
			cancel(repl.ErrInterrupted)
			return
		}
		var signals <-chan os.Signal = s.app.Env.Signals
		select {
		case <-done:
		case <-signals:
			cancel(repl.ErrInterrupted)
		}
	}()
	return work, func() { unwatch(); close(done); cancel(nil) }
}
