package chat

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/app"
	"ken/internal/ask"
	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/learn/lessons"
	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/session"
	"ken/internal/session/feedback"
	"ken/internal/termsafe"
)

// An offering is what a conversation may be worth.
type offering struct {
	told  map[string]bool // what was said to be worth one
	draft string          // of the newest; "": in the person's words alone
	lines int             // so many of the person's next ones may do otherwise what they refused
}

// notable says in one line that something may be worth a lesson, once in a conversation for what is of one sort. draft is what
// was seen; "": nothing that could be said.
func (s *REPL) notable(what, draft string) {
	if !s.term.Asks || s.app.Lane.In() || !s.app.Home.Settings.MemoryOn() || s.app.Home.Settings.ReadOnly() {
		return
	}
	s.lessons.draft = draft
	if s.lessons.told == nil {
		s.lessons.told = make(map[string]bool)
	}
	if s.lessons.told[what] {
		return
	}
	s.lessons.told[what] = true
	if draft == "" {
		s.app.Status("worth a lesson? %s", s.app.Verb("lesson TEXT"))
		return
	}
	s.app.Status("worth a lesson? %s keeps: %s", s.app.Verb("lesson"), termsafe.Line(draft))
}

// otherwise has what the person just ran count as done in the place of what they refused, if it was, and offers what could be
// learned of it.
func (s *REPL) otherwise(ctx context.Context) {
	a := s.app
	if s.lessons.lines--; s.lessons.lines < 0 || !s.term.Asks || a.Lane.In() {
		return
	}
	t, err := session.Load(s.dialog.Path())
	if err != nil {
		return // there is nothing yet, or whoever reads it next reports why not
	}
	r, ok := lessons.Revised(t)
	if !ok {
		return
	}
	if err := feedback.Note(a.Live, r.Outcome); err != nil {
		a.Warn(fault.Once(err))
	}
	if r.Lesson == "" || !a.Home.Settings.MemoryOn() || a.Home.Settings.ReadOnly() {
		return
	}
	s.lessons.draft = r.Lesson
	if err := s.offerLesson(ctx, r); err != nil && ctx.Err() == nil {
		a.Report(term.NotSaved(err))
	}
}

// offerLesson has a lesson wait for a yes, for where it was seen, and asks for that yes once.
func (s *REPL) offerLesson(ctx context.Context, r lessons.Revision) error {
	a := s.app
	w, err := a.Home.Memory.Writer()
	if err != nil {
		return err
	}
	scope := a.Home.Here.Place().Scope()
	list, err := w.Propose(ctx, engine.Suggestion{
		Why: "you ran it in the place of what you refused",
		Record: memory.Record{
			Kind: memory.KindLesson, Content: r.Lesson, Scope: memory.Scope(scope), Origin: memory.OriginModel,
			Source: &memory.Source{Session: s.dialog.Recorder().ID(), Turn: r.N},
		},
	})
	if err != nil || len(list) == 0 || !list[0].New {
		return err
	}
	ref := fmt.Sprintf("p%d", list[0].ID)
	says := fmt.Sprintf("a lesson for %s: %s", termsafe.Line(a.Home.Here.Names(scope).Of(scope)), termsafe.Line(r.Lesson))
	answer, _, err := a.AskOwn(ctx, term.Own{
		OwnQuestion: app.OwnQuestion{Sort: app.AskLessons, About: ref}, Says: says,
		One: &ask.Question{Asks: "keep it?", Enter: ask.Next, Choices: []ask.Choice{
			{Answer: ask.Yes, Says: "keep"}, {Answer: ask.No, Says: "refuse"}, {Answer: ask.Edit}, {Answer: ask.Next, Says: "later"},
		}},
	})
	ans := engine.Answer{Verdict: review.Yes}
	said := ask.Answer(answer)
	if err == nil && said == ask.Edit {
		var text string
		text, err = a.Person.AskText(ctx, "lesson: ", r.Lesson)
		if ans.Content = &text; text != "" {
			said = ask.Yes
		}
	}
	switch {
	case err != nil:
		return err
	case said == ask.No:
		ans.Verdict = review.No
	case said != ask.Yes:
		a.Status("the lesson waits (%s)", a.Verb("review"))
		return nil
	}
	s.lessons.draft = ""
	a.Home.Meetings.BeginPlace()
	done, err := w.Decide(ctx, ref, ans)
	switch {
	case err != nil:
		return err
	case ans.Verdict == review.No:
		a.Status("not kept (undo: %s)", a.Verb("review undo "+ref))
	default:
		a.Status("%s", a.Kept(done.IDs[0], memory.Scope(scope)))
	}
	return nil
}

// lessonCommand keeps a lesson.
func (s *REPL) lessonCommand() *cobra.Command {
	return &cobra.Command{
		Use: "lesson",
		Long: `Lesson keeps TEXT as a lesson, in force at once, as remember --here --kind lesson does. Without a text
you are given what was seen, a command that you corrected, to change; an empty line keeps nothing.
It holds where you are, in the repository or else the directory; for everywhere: :remember --kind lesson TEXT.`,
		Example:     "  :lesson look before removing a build\n  :lesson",
		Annotations: term.Writes{Memory: "a lesson"}.Note(term.TextArgument()),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.lesson(cmd.Context(), strings.TrimSpace(strings.Join(args, " ")))
		},
	}
}

func (s *REPL) lesson(ctx context.Context, text string) error {
	if text == "" {
		if !s.term.Asks {
			return fault.Usagef("keep which lesson?").WithHint(":lesson TEXT")
		}
		var err error
		if text, err = s.app.Person.AskText(ctx, "lesson: ", s.lessons.draft); err != nil {
			return err
		}
	}
	if text == "" {
		s.app.Status("nothing was kept")
		return nil
	}
	s.lessons.draft = ""
	return s.tree.Run(ctx, []string{"remember", "--here", "--kind", "lesson", "--", text}) // it holds where it was seen
}
