package memory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/ask"
	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/learn"
	"ken/internal/learn/extract"
	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// summarizeCommand stands below `memory`.
func summarizeCommand(a *term.Run) *cobra.Command {
	return &cobra.Command{
		Use:   "summarize [SESSION]",
		Short: "find what is worth keeping in a conversation; asks about each",
		Long: `Summarize has a model read a conversation (this one; outside the shell the newest
of this project) and name what may be worth remembering, ten things at most. You are
asked about each: y keeps it, edit lets you put it otherwise, n refuses it for good,
Enter passes over it. Where nobody can be asked, what was found waits in ken review.

The model is memory.summarizer_model, else the preset "fast", else the one in use. It
gets what you typed and what was answered; not what tools printed, what was piped in or
what came from memory. Without a model the plain statements that you typed are found.`,
		Example:     "  ken memory summarize\n  ken memory summarize trip",
		Annotations: term.Writes{Memory: "memories"}.Note(term.LooseText()),
		RunE: func(cmd *cobra.Command, args []string) error {
			return summarize(cmd.Context(), a, strings.Join(args, " "))
		},
	}
}

func summarize(ctx context.Context, a *term.Run, name string) error {
	cfg, err := a.Home.Settings.Read()
	if err != nil {
		return err
	}
	if !a.Home.Settings.MemoryOn() {
		return a.MemoryIsOff()
	}
	path, err := conversationMeant(ctx, a, name, "memory summarize")
	if err != nil {
		return err
	}
	if path == "" && name != "" {
		return nil // they meant none of those that were offered
	}
	t, err := learn.ReadConversation(ctx, a.Home, path, 0)
	if path == "" || errors.Is(err, fs.ErrNotExist) {
		return a.Println("memory: nothing to read; nothing of this conversation is kept yet")
	}
	if err != nil {
		return err
	}
	m, err := learn.Reader(ctx, a.Home, cfg.Summarizer(), learn.Longest)
	if err != nil {
		return err
	}
	if m == nil {
		a.Status("no model: only what you stated plainly is found")
	}
	found, err := learn.Candidates(ctx, m, t)
	if term.Interrupted(err) {
		a.Status("stopped; nothing was kept")
		return nil
	}
	if err != nil {
		return unread(err)
	}
	list, waits, err := t.Fresh(ctx, a.Home, found)
	if err != nil {
		return err
	}
	switch {
	case len(found) == 0:
		return a.Println("memory: nothing to add")
	case len(list)+len(waits) == 0:
		return a.Println(fmt.Sprintf("memory: nothing to add; %s known already", view.Count(len(found), "candidate")))
	case a.Person.Present() && !a.Lane.In():
		if ask := append(again(waits), decisionsOn(list)...); len(ask) > 0 {
			return triage(ctx, a, t, ask)
		}
	}
	if len(list) == 0 {
		return a.Println(learn.Waiting(len(waits)).In(func(c fault.Command) string { return a.Verb(string(c)) }))
	}
	return proposeAll(ctx, a, t, list)
}

// unread is the error of a conversation of which no candidate could be made.
func unread(err error) error {
	var bad *extract.UnreadableError
	switch {
	case errors.Is(err, extract.ErrNothingTyped):
		return fault.New(fault.Failure, fmt.Errorf("nothing to summarize: %w", err))
	case errors.As(err, &bad):
		return fault.New(fault.Model, fmt.Errorf("nothing was kept: %w", err)).WithHint("try again, or name another preset in memory.summarizer_model")
	}
	return fmt.Errorf("nothing was kept: %w", err)
}

// proposeAll puts candidates where they wait for a person.
func proposeAll(ctx context.Context, a *term.Run, t learn.Conversation, list []extract.Candidate) error {
	n, err := t.Propose(ctx, a.Home, list)
	if err != nil {
		return term.NotSaved(err)
	}
	if n == 0 {
		return a.Println("memory: nothing to add; all of it is known already")
	}
	return a.Println(learn.Waiting(n).In(func(c fault.Command) string { return a.Verb(string(c)) }))
}

// A decision is what the person said to a candidate.
type decision struct {
	extract.Candidate
	ref     string // of the proposal that waits; "": there is none yet
	verdict review.Verdict
	text    string // in its place; "": as it is
}

// decisionsOn are candidates that are to be decided.
func decisionsOn(list []extract.Candidate) []decision {
	all := make([]decision, len(list))
	for i, c := range list {
		all[i] = decision{Candidate: c}
	}
	return all
}

// again is what waits already and would be a memory, to be decided now. What changes one is shown as a
// change, and a rule with what it comes to: by ken review.
func again(waits []engine.Waiting) (all []decision) {
	for _, w := range waits {
		if r := w.Proposal.Record; w.Proposal.Of == review.OfMemory && w.Log == "" {
			all = append(all, decision{Candidate: extract.Candidate{Kind: r.Kind, Content: r.Content, Origin: r.Origin}, ref: w.Ref})
		}
	}
	return all
}

// triage asks about each candidate, and writes what was answered at the end. One that
// is passed over leaves no trace, and waits on if it did.
func triage(ctx context.Context, a *term.Run, t learn.Conversation, list []decision) error {
	var said []decision
	for _, r := range list {
		a.Say("", card(r.Candidate))
		answer, err := a.Person.Put(ctx, ask.Question{Asks: "keep it?", Enter: ask.Next, Choices: []ask.Choice{
			{Answer: ask.Yes, Says: "keep"}, {Answer: ask.No, Says: "refuse"}, {Answer: ask.Edit}, {Answer: ask.Stop}, {Answer: ask.Next},
		}})
		if err != nil {
			return err
		}
		if answer == ask.Stop {
			break
		}
		switch answer {
		case ask.Yes:
			r.verdict = review.Yes
		case ask.Edit:
			if r.text, err = a.Person.AskText(ctx, "text: ", r.Content); err != nil {
				return err
			}
			if strings.TrimSpace(r.text) == "" {
				continue
			}
			r.verdict = review.Yes
		case ask.No:
			r.verdict = review.No
		default:
			continue
		}
		said = append(said, r)
	}
	ids, err := settle(ctx, a, t, said)
	if err != nil {
		return term.NotSaved(err)
	}
	text := fmt.Sprintf("memory: added %d of %d", len(ids), len(list))
	if len(ids) > 0 {
		text += fmt.Sprintf(" (undo: %s)", a.Verb("undo "+engine.Receipt{IDs: ids}.Span()))
	}
	return a.Println(text)
}

// card is a candidate as the person sees it, with what is invisible in it shown.
func card(c extract.Candidate) string {
	text := fmt.Sprintf("[memory] candidate (%s): %s", c.Kind, termsafe.Visible(c.Content))
	if c.Origin.Rank() > memory.OriginModel.Rank() {
		text += fmt.Sprintf("\n  not said by you: it may come from %s", from(c.Origin))
	}
	if len(c.Flags) > 0 {
		text += "\n  look twice: " + strings.Join(c.Flags, ", ")
	}
	return text
}

// from names an origin for a person.
func from(o memory.Origin) string {
	switch o {
	case memory.OriginTool:
		return "what a tool or a command printed"
	case memory.OriginImport:
		return "an imported text"
	case memory.OriginExternal:
		return "a text that was quoted, piped in or fetched"
	}
	return "somebody else (" + termsafe.Line(string(o)) + ")"
}

// settle proposes what was answered and answers it, so that the memory says who let it
// in and a no is known later. It gives the lines that were added.
func settle(ctx context.Context, a *term.Run, t learn.Conversation, said []decision) ([]memory.ID, error) {
	if len(said) == 0 {
		return nil, nil
	}
	w, err := a.Home.Memory.Writer()
	if err != nil {
		return nil, err
	}
	var list []extract.Candidate
	var of []int // said, by place in list
	for i, r := range said {
		if r.ref == "" {
			list, of = append(list, r.Candidate), append(of, i)
		}
	}
	got, err := w.Propose(ctx, t.Suggestions(w.Actor(), list)...)
	if err != nil {
		return nil, err
	}
	for i, p := range got {
		if p.ID != 0 && p.New { // else somebody else was asked meanwhile
			said[of[i]].ref = fmt.Sprintf("p%d", p.ID)
		}
	}
	var answers []engine.Answer
	for i, r := range said {
		if r.ref == "" {
			continue
		}
		ans := engine.Answer{Ref: r.ref, Verdict: r.verdict}
		if r.text != "" {
			ans.Content = &said[i].text
		}
		answers = append(answers, ans)
	}
	round, err := a.Home.Decide(ctx, a.Live, answers...)
	if queue := (*engine.QueueError)(nil); errors.As(err, &queue) {
		a.Warn(err)
		err = nil
	}
	var ids []memory.ID
	for _, d := range round {
		if d.Err != nil && !errors.Is(d.Err, review.ErrDecided) {
			a.Warn(d.Err)
		}
		ids = append(ids, d.IDs...)
	}
	return ids, err
}
