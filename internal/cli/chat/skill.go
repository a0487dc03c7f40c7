package chat

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/termsafe"
)

func (s *REPL) skillCommand() *cobra.Command {
	return &cobra.Command{
		Use: "skill",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 && !s.ofSkills(args[0]) {
				return fault.Usagef("one skill at a time")
			}
			return nil
		},
		Long: `Skill puts what a skill says at the head of your next question, whatever model answers: one that
calls no tools cannot load it. Without a name it says which wait; off takes them back. It allows nothing.
Words of :skills are understood as well, as in :skill list.`,
		Annotations: term.Writes{Own: "the conversation"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := strings.Join(args, "")
			if _, named := s.app.Home.Skills.Called(name); len(args) > 0 && !named && s.ofSkills(args[0]) {
				return s.tree.Run(cmd.Context(), append([]string{"skills"}, args...))
			}
			switch name {
			case "":
				if len(s.skills) == 0 {
					return s.app.Println("(no skill goes with your next question)")
				}
				return s.app.Println(strings.Join(s.skills, ", "))
			case "off":
				s.skills = nil
				return s.app.Println("(no skill goes with your next question)")
			default:
				called, ok := s.app.Home.Skills.Called(name)
				if !ok {
					return fault.NotFoundf("there is no skill %q that counts here", termsafe.Line(name)).WithHint("%s", fault.Command("skills list"))
				}
				if !slices.Contains(s.skills, called) {
					s.skills = append(s.skills, called)
				}
				s.app.Status("the skill %s goes with your next question", called)
				return nil
			}
		},
	}
}

// ofSkills reports whether a word is a command below `skills`.
func (s *REPL) ofSkills(word string) bool {
	for _, c := range s.names().Commands() {
		if c.Name() == "skills" {
			return IsCommand(c, word)
		}
	}
	return false
}
