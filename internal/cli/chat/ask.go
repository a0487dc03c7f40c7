package chat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/agent"
	"ken/internal/agent/turn"
	"ken/internal/cli/auto"
	"ken/internal/cli/question"
	"ken/internal/cli/run"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/models"
	"ken/internal/session"
	"ken/internal/trace"
	"ken/internal/upkeep"
	"ken/internal/view"
	"ken/internal/view/why"
)

type askFlags struct {
	model  string
	role   string
	files  []string
	size   question.Size
	goOn   bool
	fork   bool
	asJSON bool

	last    bool
	output  bool
	explain bool
	task    string
	budget  int
	auto    bool
}

func askCommand(a *term.Run, look *upkeep.Upkeep, f *askFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ask [flags] QUESTION",
		Short: "ask one question and print the answer (also: ken -p)",
		Long: `Ask sends one question to the model and prints the answer as it comes. Standard
input, if there is any, goes with the question; without a question it is the
question. Where no model is configured, a person at a terminal is quoted what memory
and conversations hold on it; in a pipe that is an error (3), as an answer without
text is (6). After -- all is the question, whatever it looks like.

With -f go files: texts, pictures (PNG, JPEG, GIF, WebP) for models that take them, and
directories as the names in them, without hidden ones and without what .gitignore leaves
out. Secrets in them are masked, those in pictures are not. Nothing of a file is
remembered.

What the memory has on the question goes with it, up to memory.activate_max_tokens;
--explain-context shows it, and ken why afterwards.`,
		Example: "  ken ask \"how do I undo the last commit?\"\n  git diff | ken ask \"write a commit message\"\n" +
			"  ken ask -f main.go -f go.mod \"does this build?\"\n  ken ask -c \"and shorter?\"",
		Annotations: term.Writes{Own: "the conversation"}.Note(term.TextArgument()),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("budget") && f.budget == 0 {
				f.budget = noBudget
			} else if f.budget < 0 {
				return fault.Usagef("--budget %d: want 0 or more", f.budget)
			}
			return askOnce(cmd.Context(), a, look, *f, nil, strings.Join(args, " "))
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.model, "model", "m", "", "ask `MODEL`, a preset or a name that its server lists, and no other one in its place")
	fl.StringVar(&f.role, "role", "", "answer as the `ROLE` has it, a file of your own: see ken help commands")
	fl.StringArrayVarP(&f.files, "file", "f", nil, "with the text or picture in `FILE`, or the names in a directory; - is standard input")
	fl.BoolVar(&f.size.Cut, "cut", false, "leave the middle out of a question that is larger than the model's window")
	fl.BoolVar(&f.size.Whole, "whole", false, "send a question that is larger than the window all the same")
	fl.BoolVarP(&f.goOn, "continue", "c", false, "go on with the newest conversation of this project")
	fl.BoolVar(&f.fork, "fork", false, "with -c: go on in a copy of it")
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON object instead of text")
	fl.BoolVar(&f.last, "last", false, "with the last command of your shell and how it ended; needs ken init")
	fl.BoolVar(&f.output, "output", false, "with what it printed as well; inside tmux")
	fl.BoolVar(&f.explain, "explain-context", false, "show first which memories go with the question, and why")
	fl.BoolVar(&f.auto, "auto", false, "have the model work on the question as a goal, by itself (more: ken help goals)")
	fl.StringVar(&f.task, "task", "", "look in memory for what `TEXT` needs as well")
	fl.IntVar(&f.budget, "budget", 0, "at most `N` tokens of memory for this question, in the place of memory.activate_max_tokens")
	cmd.MarkFlagsMutuallyExclusive("cut", "whole")
	cmd.MarkFlagsMutuallyExclusive("auto", "last")
	cmd.MarkFlagsMutuallyExclusive("auto", "output")
	return cmd
}

// askOnce asks what was typed, or what prompt makes of it.
func askOnce(ctx context.Context, a *term.Run, look *upkeep.Upkeep, f askFlags, prompt *question.Prompt, typed string) error {
	cfg, err := a.Home.Settings.Read()
	if err != nil {
		return err
	}
	role, err := question.Role(a, f.role)
	if err != nil {
		return err
	}
	d := turn.New(a.Home, turn.Options{
		Channel: session.ChannelAsk, GoOn: f.goOn, Fork: f.fork, Pictures: question.Pictures(a), Upkeep: look,
		Role: role, Loop: run.Loop(a, onlyWait),
	})
	if err := d.MayBudget(f.budget); err != nil {
		return fmt.Errorf("--budget %w", err)
	}
	if (f.last || f.output) && typed == "" && prompt == nil {
		typed = question.WhatWentWrong
	}
	q, err := asked(ctx, a, prompt, typed, f.files)
	if err == nil && (f.last || f.output) {
		q.From = "external"
		q.Text, err = question.WithLast(ctx, a, q.Text, f.output)
	}
	if err != nil {
		return err
	}
	if a.Shell == nil && len(f.files) == 0 {
		question.TellMentions(a, q.Typed)
	}
	q.Task, q.Budget, q.Preset, q.Alone = f.task, f.budget, f.model, atTerminal(a)
	out := &printer{a: a, hold: f.asJSON}
	defer out.over()
	ev := f.size.Events(a, q, turn.Events{Sends: out.begin, Delta: out.show, Paused: out.end, Tools: run.Tools(a)})
	ev.Fits = out.asks(ev.Fits)
	if f.explain {
		ev.Given = func(wanted string, t trace.Trace) {
			r := why.Of(d.Why(ctx, wanted, t, false))
			r.NameScopes(a.Home.Here.Names(r.Scopes()...).Of)
			a.Say("", why.Text(r))
		}
	}
	if f.auto {
		if err := mayRun(a); err != nil {
			return err
		}
		if q.Auto, err = auto.New(a, q.Text, false); err != nil {
			return err
		}
		q.Alone = false
		auto.Banner(a, q.Auto)
		ev.Step = func(nr int) { auto.Step(a, q.Auto, nr) }
	}
	ans, err := d.Ask(ctx, q, ev)
	switch {
	case ans.NoModel != nil:
		return printAlone(a, ans, f.asJSON)
	case errors.Is(err, models.ErrNone) && !(q.Alone && a.Home.Settings.MemoryOn()):
		return noAnswer(a, f.asJSON, err)
	case ans.Model == "":
		return err
	}
	shown := out.end()
	tellAnswer(a, ans.Answer, cfg.Context.MaxTurns)
	answered(ctx, a, d, ans)
	err = errors.Join(err, shown)
	if q.Auto != nil {
		aerr := auto.Account(a, d.Path(), q.Auto)
		if aerr == nil && shown == nil && auto.Says(q.Auto, err) {
			err = term.ReportNext(a.Voice, err)
		}
		err = errors.Join(aerr, err)
	}
	d.End(ctx)
	if f.asJSON {
		return errors.Join(printAnswer(ctx, a, d, ans, err), term.Reported(err))
	}
	return err
}

// asked is the question that was typed, in the words of prompt if there is one.
func asked(ctx context.Context, a *term.Run, prompt *question.Prompt, typed string, files []string) (turn.Question, error) {
	if prompt == nil {
		return question.Of(ctx, a, typed, files)
	}
	return question.OfPrompt(ctx, a, *prompt, typed, files)
}

// atTerminal reports whether a person types the question and reads the answer. To a
// program memory is no answer: it takes what stands on standard output for the model's.
func atTerminal(a *term.Run) bool {
	return a.Shell != nil || term.IsTerminal(a.Env.Stdin) && term.IsTerminal(a.Env.Stdout)
}

// noAnswer says that there is no model, where nobody reads what memory knows.
func noAnswer(a *term.Run, asJSON bool, cause error) error {
	hint := a.NextStep(cause)
	if a.Home.Settings.MemoryOn() { // in front: a command that stands last is copied to its end
		hint = "what memory has: " + a.Verb("recall QUERY") + "; for answers, " + hint
	}
	err := fault.New(fault.Model, cause).WithHint("%s", hint)
	if !asJSON {
		return err
	}
	return errors.Join(a.PrintJSON(why.NoAnswer("", cause)), term.Reported(err))
}

// tellAnswer passes on what was noticed on the way. maxTurns is the limit under
// which turns left the context.
func tellAnswer(a *term.Run, ans agent.Answer, maxTurns int) {
	for _, w := range ans.Warnings {
		a.Say("ken: warning: ", w)
	}
	if ans.Evicted > 0 {
		a.Status("context: %s left it (context.max_turns = %d, a quarter at once), summed up word for word; the session keeps them", view.Count(ans.Evicted, "oldest turn"), maxTurns)
	}
	a.TellServers()
	if ans.Finish == session.FinishLength {
		a.Status("the answer reached its length limit")
	}
	for _, call := range ans.Message.ToolCalls {
		if strings.TrimSpace(ans.Message.Content) == "" {
			break // it is what is wrong with the answer
		}
		a.Status("the model asked for the tool %q, which it was not offered; nothing ran", call.Name)
	}
}

func printAnswer(ctx context.Context, a *term.Run, d *turn.Dialog, ans turn.Answer, err error) error {
	r := why.Of(d.Why(ctx, ans.Query, ans.Trace, true))
	v := why.Answer{
		Answer: a.Home.Keys.MaskKeys(ans.Message.Content), Model: cmp.Or(ans.Preset, ans.Model),
		Session: d.Recorder().ID(), N: ans.N, Finish: ans.Finish,
		Usage: ans.Usage.JSON(), Why: ans.Trace.Refs(), Shaped: r.Shaped, Provenance: r.Provenance, Context: r.Standing, Attached: r.Attached,
	}
	if err != nil {
		v.Error = err.Error()
	}
	return a.PrintJSON(v)
}
