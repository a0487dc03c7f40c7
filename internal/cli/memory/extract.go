package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/cli/which"
	"ken/internal/fault"
	"ken/internal/jsonl"
	"ken/internal/learn"
	"ken/internal/learn/extract"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/view/port"
)

// maxLine is the longest line of standard input that is read, in bytes.
const maxLine = 8 << 20

// extractCommand is the command `extract`.
func extractCommand(a *term.Run) *cobra.Command {
	var lines, asJSON bool
	var model string
	cmd := &cobra.Command{
		Use:   "extract [SESSION]",
		Short: "show what a conversation has that is worth keeping; keeps nothing",
		Long: `Extract shows the candidates for memory that a conversation has, where each comes from
and what to look at twice, and writes nothing. Without --model these are the statements
that the person typed. What texts of tools, pages and others would have an assistant
remember or do is shown as well, as theirs; ken memory summarize never proposes that.

Without SESSION standard input is one conversation, a line {"role","content"} for each
turn. With --jsonl each line is a conversation, {"id","transcript":[{"role","content"}]},
and is answered with {"id","candidates":[{"kind","content","origin","flags"}],"active":0}
before the next is read. Roles are user, assistant, tool (tool:web), import and agent:NAME; any
other is external.`,
		Example:     "  ken extract trip\n  ken extract --jsonl --model fast < talks.jsonl",
		Args:        cobra.MaximumNArgs(1),
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := a.Home.Settings.Read(); err != nil {
				return err
			}
			var m extract.Model
			if model != "" {
				var err error
				if m, err = learn.Reader(cmd.Context(), a.Home, model, learn.Longest); err != nil {
					return err
				}
			}
			switch {
			case lines && len(args) > 0:
				return fault.Usagef("--jsonl reads its conversations from standard input")
			case len(args) > 0:
				return extractSession(cmd.Context(), a, m, args[0], asJSON)
			case a.Shell != nil:
				return fault.Usagef("this reads standard input, which is the shell's").
					WithHint("name a conversation, or %s", fault.Command("memory summarize"))
			case lines:
				return extractLines(cmd.Context(), a, m)
			}
			return extractInput(cmd.Context(), a, m, asJSON)
		},
	}
	cmd.Flags().BoolVar(&lines, "jsonl", false, "one conversation a line, in and out")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	cmd.Flags().StringVarP(&model, "model", "m", "", "have the preset `NAME` read, instead of the built-in extractor")
	return cmd
}

// extractSession shows the candidates of a conversation of the person.
func extractSession(ctx context.Context, a *term.Run, m extract.Model, name string, asJSON bool) error {
	path, err := conversationMeant(ctx, a, name, "extract")
	if err != nil || path == "" {
		return err
	}
	t, err := learn.ReadConversation(ctx, a.Home, path, 0)
	if err != nil {
		return err
	}
	list, err := extracted(ctx, a, m, t.Passages)
	if err != nil {
		return err
	}
	return show(a, list, asJSON)
}

// extracted is all that a conversation has, as programs get it.
func extracted(ctx context.Context, a *term.Run, m extract.Model, passages []extract.Passage) ([]port.Candidate, error) {
	list, err := learn.Candidates(ctx, m, learn.Conversation{Passages: passages})
	var prose *extract.UnreadableError // nothing is kept here, and prose names nothing to keep
	if err != nil && !errors.Is(err, extract.ErrNothingTyped) && !errors.As(err, &prose) {
		return nil, err
	}
	list = append(list, extract.Planted(passages)...)
	list = extract.Fresh(list, nil)
	return port.CandidatesOf(list, a.Home.Keys.MaskText), nil
}

// show prints candidates for a person, or as JSON.
func show(a *term.Run, list []port.Candidate, asJSON bool) error {
	if asJSON {
		return a.PrintJSON(list)
	}
	if len(list) == 0 {
		return a.Println("(nothing to remember)")
	}
	for _, c := range list {
		text := fmt.Sprintf("%s: %s  (%s", c.Kind, termsafe.Visible(c.Content), c.Origin)
		if c.Turn > 0 {
			text += fmt.Sprintf(", turn %d", c.Turn)
		}
		text += ")"
		if len(c.Flags) > 0 {
			text += " look twice: " + strings.Join(c.Flags, ", ")
		}
		if err := a.Println(termsafe.Line(text)); err != nil {
			return err
		}
	}
	return nil
}

// extractInput takes standard input for one conversation.
func extractInput(ctx context.Context, a *term.Run, m extract.Model, asJSON bool) error {
	if term.IsTerminal(a.Env.Stdin) {
		return fault.Usagef("extract what? name a conversation, or pipe one in").WithHint("the names: %s", fault.Command("sessions list"))
	}
	var said []extract.Said
	for line, err := range jsonl.Lines(a.Env.Stdin, maxLine) {
		if err != nil {
			return fmt.Errorf("read standard input: %w", err)
		}
		if line.Bytes != nil && len(bytes.TrimSpace(line.Bytes)) == 0 {
			continue
		}
		var s port.Said
		if err := json.Unmarshal(line.Bytes, &s); err != nil {
			return fault.Usagef("line %d is no turn", line.Number).WithHint(`a turn is a line {"role":"user","content":"..."}`)
		}
		said = append(said, extract.Said{Role: s.Role, Content: s.Content, At: a.Env.Now()})
	}
	list, err := extracted(ctx, a, m, extract.PassagesOf(said))
	if err != nil {
		return err
	}
	return show(a, list, asJSON)
}

// extractLines answers each line of standard input.
func extractLines(ctx context.Context, a *term.Run, m extract.Model) error {
	return term.AnswerLines(a, "line", maxLine, func(line int, q port.TranscriptLine, bad error) (any, bool, error) {
		r := port.TranscriptReply{ID: q.ID, Candidates: []port.Candidate{}}
		if len(q.ID) == 0 {
			r.ID = json.RawMessage("null")
		}
		if bad == nil && q.Transcript == nil {
			bad = errors.New("no transcript")
		}
		if bad == nil {
			said := make([]extract.Said, len(*q.Transcript))
			for i, s := range *q.Transcript {
				said[i] = extract.Said{Role: s.Role, Content: s.Content, At: a.Env.Now()}
			}
			var list []port.Candidate
			if list, bad = extracted(ctx, a, m, extract.PassagesOf(said)); bad == nil {
				r.Candidates = list
			}
		}
		if bad != nil {
			r.Error = fmt.Sprintf("line %d: %v", line, a.Home.Keys.MaskText(bad.Error()))
		}
		return r, bad == nil, ctx.Err()
	})
}

// conversationMeant is the conversation that a person means: the one called so, else the live
// one, else the newest of this project. "" is their answer, none of them, or a live one
// that has no file.
func conversationMeant(ctx context.Context, a *term.Run, name, verb string) (string, error) {
	switch {
	case name != "":
		return which.Session(ctx, a, name, which.Options{Verb: verb, Command: verb})
	case a.Shell == nil:
		path, err := a.Home.Conversations.Latest()
		if errors.Is(err, session.ErrNone) {
			return "", fault.New(fault.NotFound, errors.New("no conversation here yet")).
				WithHint("name one: %s", fault.Command("sessions list --all"))
		}
		return path, err
	}
	return a.Shell.SessionPath(), nil
}
