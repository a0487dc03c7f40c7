package review

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/view"
)

// Command is the command `review` with all below it.
func Command(a *term.Run) *cobra.Command {
	var asJSON, refused, batch bool
	cmd := &cobra.Command{
		Use:   "review",
		Short: "decide what was suggested: keep, refuse, change, later",
		Long: `Review goes through what models, tools, imports and plans would have ken
remember. Nothing of it is memory before you say so: y keeps, n refuses for good,
e changes the text, k the kind, s the scope, l puts it off; Enter says nothing and
goes on. With --edit the whole queue opens in your editor. What is not answered
waits; what was refused is not suggested again.`,
		Example:     "  ken review\n  ken review --json\n  ken review no p3 p4",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Person: "decides what waits", Look: "review list", When: []string{"no --json", "no --refused"}}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case asJSON:
				return printJSON(cmd.Context(), a, refused)
			case refused:
				return list(cmd.Context(), a, true)
			case batch:
				return inEditor(cmd.Context(), a)
			}
			return goThrough(cmd.Context(), a)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array, to read")
	cmd.Flags().BoolVar(&refused, "refused", false, "what was refused, newest first")
	cmd.Flags().BoolVar(&batch, "edit", false, "answer all of it in your editor")
	cmd.AddCommand(listCommand(a),
		answerCommand(a, review.Yes, "keep what was suggested"),
		answerCommand(a, review.No, "refuse it; it is not suggested again"),
		answerCommand(a, review.Later, "put it at the end of the queue"),
		undoCommand(a))
	return cmd
}

func listCommand(a *term.Run) *cobra.Command {
	var asJSON, refused bool
	cmd := &cobra.Command{
		Use: "list", Short: "list what waits, without asking", Args: cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return printJSON(cmd.Context(), a, refused)
			}
			return list(cmd.Context(), a, refused)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	cmd.Flags().BoolVar(&refused, "refused", false, "what was refused instead")
	return cmd
}

func answerCommand(a *term.Run, v review.Verdict, short string) *cobra.Command {
	return &cobra.Command{
		Use: string(v) + " REF...", Short: short, Args: cobra.MinimumNArgs(1),
		Annotations: term.Writes{Person: "decides what waits", Look: "review list"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := mayAnswer(a); err != nil {
				return err
			}
			refs := memory.TypedRefs(args...)
			list := make([]engine.Answer, len(refs))
			for i, ref := range refs {
				list[i] = engine.Answer{Ref: ref, Verdict: v}
			}
			_, _, err := answerAll(cmd.Context(), a, list)
			return err
		},
	}
}

// Refuse says no to what waits under a reference.
func Refuse(ctx context.Context, a *term.Run, ref string) error {
	_, _, err := answerAll(ctx, a, []engine.Answer{{Ref: ref, Verdict: review.No}})
	return err
}

func undoCommand(a *term.Run) *cobra.Command {
	return &cobra.Command{
		Use: "undo REF...", Short: "take an answer back; it waits again", Args: cobra.MinimumNArgs(1),
		Annotations: term.Writes{Person: "decides what waits", Look: "review list"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := mayAnswer(a); err != nil {
				return err
			}
			refs := memory.TypedRefs(args...)
			w, err := a.Home.Memory.Writer()
			if err != nil {
				return err
			}
			for _, ref := range refs {
				if _, err := w.Reopen(cmd.Context(), ref); err != nil {
					return err
				}
				if err := a.Println(ref + " waits again"); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// mayAnswer refuses where there is no terminal.
func mayAnswer(a *term.Run) error {
	if !a.Person.Present() {
		return fault.New(fault.Refused, errors.New("nobody to decide: not a terminal")).
			WithHint("to read what waits: %s", fault.Command("review --json"))
	}
	return nil
}

// Report prints what an answer came to. What happened meanwhile is a warning, and no
// fault.
func Report(a *term.Run, ref string, v review.Verdict, r engine.Receipt, err error) error {
	var queue *engine.QueueError
	switch {
	case errors.As(err, &queue):
		a.Warn(err)
	case errors.Is(err, review.ErrDraft):
		return fault.Refusedf("%s: %w", ref, err).WithHint("%s; or say no", fault.Command("skills promote DRAFT"))
	case err != nil:
		return fmt.Errorf("%s: %w", ref, err)
	}
	switch v {
	case review.Yes:
		return a.Println(fmt.Sprintf("kept #%s (undo: %s)", r.IDs[0], a.Verb("undo "+r.Span())))
	case review.No:
		back := a.Verb("review undo " + ref)
		if len(r.IDs) > 0 {
			back = a.Verb("undo " + r.IDs[0].String())
		}
		return a.Println(fmt.Sprintf("refused %s (undo: %s)", ref, back))
	}
	return a.Println("put off " + ref)
}

// ending sums up a round.
func ending(a *term.Run, kept, refused, left int) error {
	if kept+refused == 0 && left > 0 {
		return a.Println("nothing was decided; " + waits(left))
	}
	text := fmt.Sprintf("%d kept, %d refused", kept, refused)
	if left > 0 {
		text += "; " + waits(left)
	}
	return a.Println(text)
}

func waits(n int) string {
	if n == 1 {
		return "1 suggestion waits"
	}
	return view.Count(n, "suggestion") + " wait"
}
