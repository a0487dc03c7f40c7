package chat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/agent"
	"ken/internal/agent/turn"
	"ken/internal/cli/question"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/pick"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/upkeep"
	"ken/internal/view"
)

func (s *REPL) retryCommand() *cobra.Command {
	var model string
	cmd := &cobra.Command{
		Use: "retry", Args: cobra.NoArgs,
		Long: `Retry asks the last question again, also one that failed. The new answer takes the place
of the old one in what the model sees; the session keeps both, and :drop --undo brings the
old one back. Should no answer come, all is as it was.`,
		Example:     "  :retry\n  :retry -m deep",
		Annotations: term.Writes{Own: "the conversation"}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			last, err := s.lastQuestion(cmd.Context())
			if err != nil {
				return err
			}
			q := turn.Question{Text: last.Content, Typed: agent.Typed(last), From: last.From, Preset: model}
			return s.askAgain(cmd.Context(), last, q)
		},
	}
	cmd.Flags().StringVarP(&model, "model", "m", "", "ask the model `PRESET` this time")
	return cmd
}

func (s *REPL) editCommand() *cobra.Command {
	var model string
	cmd := &cobra.Command{
		Use: "edit", Args: cobra.NoArgs,
		Long: `Edit opens the last question in VISUAL, EDITOR or vi, and asks what comes back in its
place, as :retry does. A text that is unchanged or empty is not asked.`,
		Annotations: term.Writes{Own: "the conversation"}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			last, err := s.lastQuestion(cmd.Context())
			if err != nil {
				return err
			}
			return s.edit(cmd.Context(), last, model)
		},
	}
	cmd.Flags().StringVarP(&model, "model", "m", "", "ask the model `PRESET` this time")
	return cmd
}

// lastQuestion is the question that can be asked again.
func (s *REPL) lastQuestion(ctx context.Context) (session.Turn, error) {
	last, err := s.conv().Asked(ctx)
	if errors.Is(err, agent.ErrNoQuestions) {
		return last, fault.Failuref("nothing was asked yet in this conversation")
	}
	return last, err
}

// askAgain asks q in the place of the last question.
func (s *REPL) askAgain(ctx context.Context, last session.Turn, q turn.Question) error {
	q.Again, q.Why = &last, session.LeftReplaced
	return s.answered(ctx, s.ask(ctx, q, nil))
}

// edit has the person change the last question, and asks it.
func (s *REPL) edit(ctx context.Context, last session.Turn, model string) error {
	if !s.app.Person.Present() {
		return fault.Refusedf("no terminal for an editor: nothing was asked").WithHint(":drop, then ask it in other words")
	}
	typed := agent.Typed(last)
	text, err := s.app.Person.EditText(ctx, typed)
	if err != nil {
		return fmt.Errorf("nothing was asked: %w", err)
	}
	switch text = termsafe.Clean(text); {
	case strings.TrimSpace(text) == "":
		s.app.Status("empty: nothing was asked, and all is as it was")
		return nil
	case strings.TrimSpace(text) == strings.TrimSpace(typed):
		s.app.Status("unchanged: nothing was asked; :retry asks it again")
		return nil
	}
	if remember, _ := s.typed(); remember != nil {
		remember(text)
	}
	q, err := question.Line(ctx, s.app, text) // it may name other files
	if err != nil {
		return fmt.Errorf("nothing was asked: %w", err)
	}
	others := len(q.Attached) > 0 || strings.Contains(typed, "@") && !strings.Contains(text, "@")
	if others {
		last.Attached = nil
	}
	q.Text = agent.Edited(last, text, q.Attached, others)
	q.From, q.Preset = cmp.Or(q.From, last.From), model
	return s.askAgain(ctx, last, q)
}

func (s *REPL) dropCommand() *cobra.Command {
	var undo bool
	cmd := &cobra.Command{
		Use: "drop", Args: cobra.MaximumNArgs(1),
		Long: `Drop takes the last N questions, with their answers and all that was said since, out of
what the model sees. The session keeps them, marked; no search, no extraction and no
summary has them. With --undo what left last comes back to where it stood, until the
context is summed up or begins anew; an answer that :retry or :edit replaced changes
places with the new one.`,
		Example:     "  :drop\n  :drop 3\n  :drop --undo",
		Annotations: term.Writes{Own: "the conversation"}.Note(),
		RunE: func(_ *cobra.Command, args []string) error {
			if undo {
				if len(args) > 0 {
					return fault.Usagef("--undo brings back what left last: give no number")
				}
				return s.restore()
			}
			n := 1
			if len(args) > 0 {
				var err error
				if n, err = strconv.Atoi(args[0]); err != nil || n < 1 {
					return fault.Usagef("drop %s: want a number of questions from 1", termsafe.Line(args[0]))
				}
			}
			return s.dropTurns(n)
		},
	}
	cmd.Flags().BoolVar(&undo, "undo", false, "bring back what left last")
	return cmd
}

func (s *REPL) dropTurns(n int) error {
	span, err := s.conv().Drop(n)
	if errors.Is(err, agent.ErrNoQuestions) {
		questions := 0
		for _, t := range s.conv().Turns() {
			if t.ByPerson() {
				questions++
			}
		}
		has := view.Count(questions, "question")
		if s.conv().Summary() != "" {
			has += "; those before are summed up"
		}
		return fault.Failuref("nothing was dropped: the context has %s", has)
	}
	if err != nil {
		return err
	}
	s.app.Status("dropped %s; the session keeps them (back: :drop --undo)", s.spanText(span))
	return nil
}

func (s *REPL) restore() error {
	span, err := s.conv().Restore()
	if errors.Is(err, agent.ErrNothingDropped) {
		return fault.Failuref("%w", err)
	}
	if err != nil {
		return err
	}
	s.app.Status("back in the context: %s", s.spanText(span))
	return nil
}

// spanText names turns by their numbers and the first question of them.
func (s *REPL) spanText(span agent.Span) string {
	first, last := span.Turns[0], span.Turns[len(span.Turns)-1]
	text := fmt.Sprintf("turns %d to %d", first.N, last.N)
	if first.N == last.N {
		text = fmt.Sprintf("turn %d", first.N)
	}
	const cells = 40
	if words := view.Excerpt(agent.Typed(first), cells); words != "" {
		text += fmt.Sprintf(" (%s)", words)
	}
	return text
}

// tellAside says which turns were said and are not in the context.
func (s *REPL) tellAside() {
	if text := asideText(s.conv().Aside()); text != "" {
		s.app.Status("not sent: %s; :history --all has what was said", text)
	}
}

// asideText names turns in the order of their numbers, each run of neighbours as one, and behind
// those that left for one reason that reason: "1-4 (asked again), 5-6, 9 (dropped)".
func asideText(aside []session.Entry) string {
	list := slices.DeleteFunc(slices.Clone(aside), func(e session.Entry) bool { return e.Turn.N <= 0 })
	slices.SortStableFunc(list, func(a, b session.Entry) int { return cmp.Compare(a.Turn.N, b.Turn.N) })
	var b strings.Builder
	for i := 0; i < len(list); {
		from, why := i, list[i].Left
		for i++; i < len(list) && list[i].Left == why && list[i].Turn.N <= list[i-1].Turn.N+1; i++ {
		}
		first, last := list[from].Turn.N, list[i-1].Turn.N
		b.WriteString(strconv.Itoa(first))
		if last > first {
			fmt.Fprintf(&b, "-%d", last)
		}
		if i == len(list) || list[i].Left != why {
			fmt.Fprintf(&b, " (%s)", why.Text())
		}
		if i < len(list) {
			b.WriteString(", ")
		}
	}
	return b.String()
}

func (s *REPL) branchCommand() *cobra.Command {
	return &cobra.Command{
		Use: "branch", Args: cobra.MaximumNArgs(1),
		Long: `Branch goes on in a copy of this conversation, or of SESSION, as it stood behind an
answer; this one stays as it is. Of a question it is what was there before it, and the
question stands on the prompt, to be changed. Without a turn it lists those of this conversation.`,
		Example:     "  :branch 4\n  :branch 20260510T190001Z-7f3a:12",
		Annotations: term.Writes{Own: "the conversation"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return s.listTurns()
			}
			if n, err := strconv.Atoi(args[0]); err == nil {
				return s.branch(cmd.Context(), s.dialog.Path(), n)
			}
			ref, err := session.ParseRef(pick.Bare(args[0]))
			if err != nil {
				return fault.Usagef("branch %s: want the number of a turn, or SESSION:TURN", termsafe.Line(args[0])).
					WithHint(":branch lists them")
			}
			path, err := s.app.Home.Conversations.Dir().Find(ref.Session)
			if err != nil {
				return err
			}
			return s.branch(cmd.Context(), path, ref.Turn)
		},
	}
}

// listTurns prints a line for each turn of this conversation that a branch can begin at.
func (s *REPL) listTurns() error {
	listed, width := 0, s.app.Screen.Width()
	if width == 0 {
		width = 80 // of a pipe
	}
	for _, t := range s.conv().Turns() {
		if t.N == 0 || t.Role == session.RoleTool || strings.TrimSpace(t.Content) == "" {
			continue
		}
		if err := s.app.Println(view.Excerpt(view.TurnText(t, 0), width)); err != nil {
			return err
		}
		listed++
	}
	if listed == 0 {
		return s.app.Println("(no turns yet)")
	}
	return nil
}

// branch goes on from turn n of the conversation in the file at path.
func (s *REPL) branch(ctx context.Context, path string, n int) error {
	b, err := s.dialog.Branch(ctx, path, n)
	if err != nil {
		return err
	}
	has := view.Count(len(s.conv().Turns()), "turn")
	s.app.Status("going on from turn %d of %s, in %s: %s", b.Turn, termsafe.Line(b.From), s.dialog.Recorder().Name(), has)
	if _, begin := s.typed(); begin != nil && b.Question != "" {
		begin(termsafe.Clean(b.Question))
	}
	s.dialog.After(ctx, upkeep.Parted)
	return nil
}
