package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/agent"
	"ken/internal/llm"
	"ken/internal/session"
	"ken/internal/termsafe"
)

type askFlags struct {
	model  string
	goOn   bool
	fork   bool
	asJSON bool
}

func (a *app) askCommand() *cobra.Command {
	var f askFlags
	cmd := &cobra.Command{
		Use:   "ask [flags] QUESTION",
		Short: "one answer, on standard output (also: ken -p)",
		Long: `Ask sends one question to the model and prints the answer as it comes. Standard
input, if there is any, goes with the question; without a question it is the
question. Flags stand before the first word.`,
		Example:     "  ken ask \"how do I undo the last commit?\"\n  git diff | ken ask \"write a commit message\"\n  ken ask -c \"and shorter?\"",
		Annotations: textArgument(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.ask(cmd.Context(), f, strings.Join(args, " "))
		},
	}
	fl := cmd.Flags()
	fl.SetInterspersed(false)
	fl.StringVarP(&f.model, "model", "m", "", "ask the preset `NAME`")
	fl.BoolVarP(&f.goOn, "continue", "c", false, "go on with the newest conversation of this project")
	fl.BoolVar(&f.fork, "fork", false, "with -c: go on in a copy of it")
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON object instead of text")
	return cmd
}

func (a *app) ask(ctx context.Context, f askFlags, typed string) error {
	if _, err := a.settings(); err != nil {
		return err
	}
	text, from, err := a.question(ctx, typed)
	if err != nil {
		return err
	}
	model, name, err := a.preset(f.model)
	if err != nil {
		return err
	}
	conv, rec, err := a.begin(beginning{channel: session.ChannelAsk, preset: name, goOn: f.goOn, fork: f.fork})
	if err != nil {
		return err
	}
	out := &printer{w: a.env.Stdout, tell: a.status, hold: f.asJSON}
	ans, err := conv.Ask(ctx, agent.Question{Text: text, Model: model, Name: name, From: from}, out.show)
	a.tellAnswer(ans)
	err = errors.Join(a.ended(ans, err), out.end())
	if cerr := rec.Close(); cerr != nil {
		a.warn(fmt.Errorf("the session was not saved: %w", cerr))
	}
	if f.asJSON {
		return errors.Join(a.printAnswer(name, rec.ID(), ans, err), said(err))
	}
	return err
}

// said marks an error as told, so that only its exit code is left.
func said(err error) error {
	if err == nil {
		return nil
	}
	code, _, _ := verdict(err)
	return &exitError{code: code, err: err, said: true}
}

// ended turns what the model's call came to into an error, with an answer that
// broke off silently being one.
func (a *app) ended(ans agent.Answer, err error) error {
	if err == nil && ans.Truncated {
		return (&exitError{code: exitIncomplete, err: errors.New("the answer is incomplete: the stream ended without a finish reason")}).
			hint("ask again, or say: go on")
	}
	return err
}

// tellAnswer passes on what was noticed on the way.
func (a *app) tellAnswer(ans agent.Answer) {
	for _, w := range ans.Warnings {
		a.say("ken: warning: ", w)
	}
	if ans.Evicted > 0 {
		a.status("context: %s left it (context.max_turns = %d); the session keeps them", count(ans.Evicted, "oldest turn"), a.cfg.Context.MaxTurns)
	}
	if ans.Finish == session.FinishLength {
		a.status("the answer reached its length limit")
	}
	for _, call := range ans.Message.ToolCalls {
		a.status("the model asked for the tool %q, which it was not offered; nothing ran", call.Name)
	}
}

// answerView is the JSON form of one answer.
type answerView struct {
	Answer  string          `json:"answer"`
	Model   string          `json:"model"`
	Session string          `json:"session,omitempty"`
	N       int             `json:"n,omitempty"`
	Finish  string          `json:"finish,omitempty"`
	Usage   json.RawMessage `json:"usage,omitempty"`
	Why     []string        `json:"why"`
	Error   string          `json:"error,omitempty"`
}

func (a *app) printAnswer(preset, id string, ans agent.Answer, err error) error {
	v := answerView{
		Answer: ans.Message.Content, Model: preset, Session: id, N: ans.N, Finish: ans.Finish,
		Usage: ans.Usage.JSON(), Why: ans.Memories,
	}
	if v.Why == nil {
		v.Why = []string{}
	}
	if err != nil {
		v.Error = err.Error()
	}
	return a.printJSON(v)
}

// A printer writes an answer as it streams in: cleaned, each piece as it comes,
// and at the end a line end if the answer had none.
type printer struct {
	w     io.Writer
	tell  func(string, ...any)
	hold  bool // print nothing: somebody else prints the whole
	clean *termsafe.Writer
	any   bool
	last  byte
}

func (p *printer) show(d llm.Delta) error {
	if p.hold {
		return nil
	}
	if d.Rethought && p.any {
		if err := p.end(); err != nil {
			return err
		}
		p.tell("the text above was the model thinking; its answer follows")
	}
	if d.Text == "" {
		return nil
	}
	if p.clean == nil {
		p.clean = termsafe.NewWriter(p.w)
	}
	p.any, p.last = true, d.Text[len(d.Text)-1]
	_, err := p.clean.WriteString(d.Text)
	return err
}

// end finishes the last line.
func (p *printer) end() error {
	if !p.any {
		return nil
	}
	err := p.clean.Flush()
	if p.last != '\n' {
		_, werr := io.WriteString(p.w, "\n")
		err = errors.Join(err, werr)
	}
	p.any = false
	return err
}
