package search

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/importing"
	"ken/internal/regular"
	"ken/internal/view"
)

func importCommand(a *term.Run) *cobra.Command {
	var r importing.Request
	var asJSON bool
	names := importing.Formats()
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "import memories and conversations of other assistants",
		Long: `Import reads what other assistants and programs kept. What they remember is
suggested, and waits in ` + "`ken review`" + ` until you say yes; conversations become sessions
that can be searched and are never memory. Secrets are masked. FILE may be a
directory, a zip file as vendors send it, or - for standard input; what kind it is, is seen from its name and
content unless --format says it. Importing again adds nothing twice. What cannot be
read is reported and left out, the rest is taken, and the exit code is then 1.`,
		Example:     "  ken import ~/.claude/projects\n  ken import --dry-run CLAUDE.md AGENTS.md\n  ken import --format turns standup.jsonl",
		Args:        cobra.MinimumNArgs(1),
		Annotations: term.Writes{Memory: "memories, and conversations to be searched"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if r.Format != "" {
				if err := term.OneOf("--format", r.Format, names...); err != nil {
					return err
				}
			}
			return importAll(a, cmd, args, r, asJSON)
		},
	}
	cmd.Flags().StringVar(&r.Format, "format", "", "what FILE is: a `FORMAT` of "+strings.Join(names, ", "))
	cmd.Flags().StringVar(&r.Scope, "scope", "", "`SCOPE` of what names none: user, here, repo, dir, or a full one; of turns any name")
	cmd.Flags().BoolVar(&asJSON, "json", false, "what was done, as a JSON object")
	cmd.Flags().BoolVar(&r.DryRun, "dry-run", false, "only say what would be taken")
	return cmd
}

// mostTold is how many gaps are told one by one.
const mostTold = 20

func importAll(a *term.Run, cmd *cobra.Command, args []string, r importing.Request, asJSON bool) error {
	sources := make([]importing.Source, len(args))
	for i, arg := range args {
		sources[i].Name = arg
		switch {
		case arg == "-" && a.Shell != nil:
			return fault.Usagef("- is standard input, which is the shell's").WithHint("leave the shell, then: ken import -")
		case arg == "-":
			sources[i].Data = a.Env.Stdin
		case a.Shell != nil: // no other shell was there to do it
			sources[i].Name, _ = regular.Expand(arg, a.Env.Getenv("HOME"))
		}
	}
	got, err := importing.Run(cmd.Context(), a.Home, r, sources...)
	for _, page := range got.Pages {
		a.Status("%s is of no assistant that is known: read as a page; what in it reads like a fact or a rule is suggested", page)
	}
	tellGaps(a, got)
	if err != nil {
		return err
	}
	err = tellImported(a, got, asJSON)
	if n := got.Left; n > 0 {
		noun := "line"
		for _, b := range got.Bad {
			if b.Offset > 0 {
				noun = "part"
			}
		}
		err = errors.Join(err, fault.Failuref("%s: %s left out", strings.Join(args, ", "), view.Count(n, noun)).
			WithHint("mend them and import the file again: what is there stays as it is"))
	}
	if n := len(got.Unread); n > 0 {
		err = errors.Join(err, fault.New(fault.Failure, term.Reported(got.Unread[n-1])))
	}
	return err
}

// tellGaps warns of what was left out, and of what could not be read at all.
func tellGaps(a *term.Run, got importing.Result) {
	for _, gap := range got.Bad[:min(len(got.Bad), mostTold)] {
		a.Say("ken: warning: ", a.Home.Keys.MaskText(gap.Text()))
	}
	if got.Left > mostTold {
		a.Say("ken: warning: ", "and more")
	}
	for _, err := range got.Unread {
		a.Warn(err)
	}
}

// tellImported answers with what was done.
func tellImported(a *term.Run, got importing.Result, asJSON bool) error {
	if asJSON {
		return a.PrintJSON(got.Imported)
	}
	for _, w := range got.Would {
		if err := a.Println(fmt.Sprintf("%s (%s, %s)", view.Excerpt(w.Content, 200), w.Kind, w.Scope)); err != nil {
			return err
		}
	}
	if got.Added > 0 {
		a.Status("what was said there is found by %s and %s", a.Verb("recall"), a.Verb("sessions search"))
	}
	return a.Println(got.Text(a.Verb("review")))
}
