package memory

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/lifecycle"
	"ken/internal/upkeep/page"
	"ken/internal/view/ageing"
)

// Begins asks the person who leaves a shell whether a sweep may begin that is their first or
// a large one. In the middle of a conversation, where nobody can be asked, and when they
// are being sent away, it does not.
func Begins(person context.Context, a *term.Run, what string) bool {
	if a.Shell != nil || person.Err() != nil || !term.IsTerminal(a.Env.Stdin) || !term.IsTerminal(a.Env.Stderr) {
		return false
	}
	yes, err := a.Person.Confirm(person, what+"?")
	return err == nil && yes
}

func hygieneCommand(a *term.Run) *cobra.Command {
	var dryRun, asJSON bool
	cmd := &cobra.Command{
		Use:   "hygiene",
		Short: "archive memories that have not been used for long",
		Long: `Hygiene archives what was not used for memory.hygiene.hot_days days, and the oldest of
a scope that has more than hot_max memories. What is archived is not told to a model
unasked and weighs less in a search; nothing is lost, and undo brings it back. It forgets
only if memory.hygiene.forget is set, what was archived for archive_days days. Pinned
memories, rules, preferences and what is stabilized or rigid stay as they are. The shell
does the same by itself when it is left and at :save (memory.hygiene.auto).`,
		Example:     "  ken memory tidy hygiene --dry-run\n  ken memory tidy hygiene --json",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Person: "puts memories away", When: []string{"no --dry-run"}}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return hygiene(a, cmd, dryRun, asJSON) },
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only say what would be done")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON object")
	return cmd
}

func hygiene(a *term.Run, cmd *cobra.Command, dryRun, asJSON bool) error {
	if _, err := a.Home.Settings.Read(); err != nil {
		return err
	}
	r, err := a.Home.Settings.Policies().Named("")
	if err != nil {
		return err
	}
	p, err := plan(cmd.Context(), a, r.Policy)
	if err != nil {
		return err
	}
	out := ageing.ReportOf(p, dryRun || len(r.Faults) > 0, cleaner(a))
	out.Faults = ageing.DiagnosesOf(r, cleaner(a))
	if !out.DryRun {
		done, err := carry(cmd.Context(), a, r.Policy, lifecycle.ByPolicy+r.Policy.Name, lifecycle.Plan.Due)
		if err != nil {
			return term.NotSaved(err)
		}
		out.Done(done)
		if err := page.Renew(cmd.Context(), a.Home, true); err != nil {
			a.Warn(err)
		}
	}
	return tellReport(a, asJSON, out, r, source{})
}

// tellReport answers with a report, and with the error that it ends in.
func tellReport(a *term.Run, asJSON bool, r ageing.Report, read lifecycle.Reading, from source) error {
	if asJSON {
		if err := a.PrintJSON(r); err != nil {
			return err
		}
	} else {
		tellFaults(a, read)
		if err := a.Println(r.Text(excerpt(a))); err != nil {
			return err
		}
		if r.Waiting > 0 {
			a.Status("%s for your yes: %s", waits(r.Waiting), a.Verb("memory tidy apply"+from.flags()))
		}
	}
	if n := len(read.Faults); n > 0 {
		return fault.Failuref("the policy has %s: nothing was written", faults(n)).
			WithHint("mend it, then: %s", fault.Command("memory tidy policy check"+strings.Replace(from.flags(), " --policy", "", 1)))
	}
	return nil
}

func waits(n int) string {
	if n == 1 {
		return "1 action waits"
	}
	return fmt.Sprintf("%d actions wait", n)
}

func faults(n int) string {
	if n == 1 {
		return "a fault"
	}
	return fmt.Sprintf("%d faults", n)
}
