package memory

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/termsafe"
	"ken/internal/view"
)

func metCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "met",
		Short: "show which models and directories get your memory",
		Long: `A model that ken found gets your memory, and what was said before, once you said yes to
it, and a directory gets the memory of the repository that it says it is if it is the
first of that name, or you said yes. Met lists both; use, never and revoke change it.
A model is MODEL@HOST:PORT, a directory its path, "." where you are.`,
		Example:     "  ken memory trust met\n  ken memory trust met never qwen3:8b@127.0.0.1:11434\n  ken memory trust met revoke ~/src/tea",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(*cobra.Command, []string) error {
			if _, err := a.Home.Settings.Read(); err != nil {
				return err
			}
			list, err := a.Home.Meetings.List()
			switch {
			case err != nil:
				return err
			case asJSON:
				out := make([]view.Met, len(list))
				for i, m := range list {
					out[i] = view.Met(m)
				}
				return a.PrintJSON(out)
			case len(list) == 0:
				return a.Println("(no model that was found and no repository was met)")
			}
			rows := make([][]string, len(list))
			for i, m := range list {
				rows[i] = []string{m.What, m.Status, m.TS, termsafe.Line(m.Repo), termsafe.Line(a.Home.Settings.Short(m.Name))}
			}
			return a.Println(view.Table([]string{"what", "status", "since", "repository", "name"}, rows, a.Screen.Width()))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	for v, short := range map[app.MetVerdict]string{
		app.MetUse:    "your memory is used there; asks first",
		app.MetNever:  "your memory is never used there, and nobody asks",
		app.MetRevoke: "take back what you said; you are asked again",
	} {
		cmd.AddCommand(&cobra.Command{
			Use: string(v) + " WHO...", Short: short, Args: cobra.MinimumNArgs(1),
			Annotations: term.Writes{Person: "says who gets the memory"}.Note(),
			RunE:        func(cmd *cobra.Command, args []string) error { return decideMet(a, cmd, v, args) },
		})
	}
	return cmd
}

func decideMet(a *term.Run, cmd *cobra.Command, v app.MetVerdict, args []string) error {
	if _, err := a.Home.Settings.Read(); err != nil {
		return err
	}
	for _, who := range args {
		if v == app.MetUse {
			if !a.Person.Present() {
				return fault.New(fault.Refused, errors.New("who gets the memory is said at a terminal only")).WithHint("type the command on a terminal")
			}
			yes, err := a.Person.Confirm(cmd.Context(), "use your memory with "+termsafe.Line(who)+"?")
			if err != nil {
				return err
			}
			if !yes {
				if err := a.Println(who + ": nothing changed"); err != nil {
					return err
				}
				continue
			}
		}
		names, err := a.Home.Meetings.Decide(v, who)
		if err != nil {
			return err
		}
		text := map[app.MetVerdict]string{
			app.MetUse:    "%s: your memory is used there (take it back: " + a.Verb("memory trust met revoke "+who) + ")",
			app.MetNever:  "%s: your memory is never used there (take it back: " + a.Verb("memory trust met revoke "+who) + ")",
			app.MetRevoke: "%s: you are asked again",
		}[v]
		if err := a.Println(fmt.Sprintf(text, strings.Join(names, ", "))); err != nil {
			return err
		}
	}
	return nil
}
