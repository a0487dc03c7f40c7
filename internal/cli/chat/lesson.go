package chat

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/termsafe"
)

// lessons is what a conversation may be worth.
type lessons struct {
	told  map[string]bool // what was said to be worth one
	draft string          // of the newest; "": in the person's words alone
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

// lessonCommand keeps a lesson.
func (s *REPL) lessonCommand() *cobra.Command {
	return &cobra.Command{
		Use: "lesson [TEXT]", Short: "keep a lesson of what just happened",
		Long: `Lesson keeps TEXT as a lesson, in force at once, as remember --kind lesson does. Without a text
you are given what was seen, a command that you corrected, to change and keep for the repository
that you are in; an empty line keeps nothing.`,
		Example:     "  :lesson look before removing a build\n  :lesson",
		Annotations: term.Writes{Memory: "a lesson"}.Note(term.TextArgument()),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.lesson(cmd.Context(), strings.TrimSpace(strings.Join(args, " ")))
		},
	}
}

func (s *REPL) lesson(ctx context.Context, text string) error {
	remember := []string{"remember", "--kind", "lesson"}
	if text == "" {
		if s.lessons.draft != "" && strings.HasPrefix(s.app.Home.Here.Place().Scope(), "repo:") {
			remember = append(remember, "--here") // what was seen in a repository holds there
		}
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
	return s.tree.Run(ctx, append(remember, "--", text))
}
