package run

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/gate"
	"ken/internal/risk"
	"ken/internal/termsafe"
	"ken/internal/view/safety"
)

// SafetyCommand is the command `safety` with all below it.
func SafetyCommand(a *term.Run) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "safety",
		Short: "show approvals, and what would happen with a command",
		Long: `Safety shows what was said beforehand about commands that models ask for: the
patterns of your settings (safety.allow, safety.ask, safety.deny), and what you have
approved with the key for always. What you type yourself is never asked about.`,
		Example:     "  ken safety list\n  ken safety revoke 3\n  ken safety remember 3\n  ken safety test 'git push origin main'",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return list(cmd.Context(), a, false) },
	}
	cmd.AddCommand(listCommand(a), revokeCommand(a), testCommand(a), rememberCommand(a))
	return cmd
}

func listCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "list patterns, rules and approvals with their uses", Args: cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return list(cmd.Context(), a, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}

func revokeCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "revoke N...", Short: "take approvals back, by their numbers", Args: cobra.MinimumNArgs(1),
		Annotations: term.Writes{Person: "changes what is approved"}.Note(),
		RunE:        func(cmd *cobra.Command, args []string) error { return revoke(cmd.Context(), a, args, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}

func testCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "test [flags] COMMAND", Short: "show what would happen with a command, and why; runs nothing",
		Annotations: term.Writes{Nothing: true}.Note(term.CommandLine()),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fault.Usagef("test what?").WithHint("%s COMMAND", fault.Command("safety test"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			line, err := Joined(args)
			if err != nil {
				return err
			}
			return test(cmd.Context(), a, line, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}

func list(ctx context.Context, a *term.Run, asJSON bool) error {
	r := Runner(a)
	d, err := r.Open(ctx)
	if err != nil {
		return err
	}
	kept, err := r.Kept()
	if err != nil {
		return err
	}
	cfg, err := a.Home.Settings.Read()
	if err != nil {
		return err
	}
	uses, err := gate.Uses(a.Home.Settings.Paths().Audit())
	if err != nil {
		a.Warn(err)
	}
	l := safety.ListingOf(cfg.Safety, d.Approvals.Standing, uses, d.Gate.Rules, kept)
	l.Session = a.Approved.Len()
	if d.Damaged != nil {
		l.Damaged = d.Damaged.Error()
	}
	return term.Answer(a, asJSON, l, func() string { return l.Text(a.Env.Now()) })
}

func revoke(ctx context.Context, a *term.Run, args []string, asJSON bool) error {
	if _, err := a.Home.Settings.Read(); err != nil {
		return err
	}
	ids := make([]int64, len(args))
	for i, arg := range args {
		n, err := strconv.ParseInt(strings.TrimPrefix(arg, "#"), 10, 64)
		if err != nil || n < 1 {
			return fault.Usagef("%q is no number of an approval", arg).WithHint("see them: %s", fault.Command("safety list"))
		}
		ids[i] = n
	}
	now := a.Env.Now()
	if err := gate.Revoke(ctx, a.Home.Settings.Paths().Approvals(), now, ids...); err != nil {
		kind := fault.Failure
		if errors.Is(err, gate.ErrNoApproval) {
			kind = fault.NotFound
		}
		return fault.New(kind, err).WithHint("see them: %s", fault.Command("safety list"))
	}
	if err := gate.AuditRevoked(ctx, a.Home.Settings.Paths().Audit(), now, ids...); err != nil {
		a.Warn(err)
	}
	if asJSON {
		return a.PrintJSON(safety.Revoked{Revoked: ids})
	}
	for _, id := range ids {
		if err := a.Println(fmt.Sprintf("revoked #%d", id)); err != nil {
			return err
		}
	}
	return nil
}

func test(ctx context.Context, a *term.Run, line string, asJSON bool) error {
	r := Runner(a)
	d, err := r.Open(ctx)
	if err != nil {
		return err
	}
	dec := d.Gate.Decide(line, r.Here(), risk.Caution)
	if asJSON {
		return a.PrintJSON(safety.DecisionOf(line, dec))
	}
	lines := Explain(dec)
	if pattern, always := gate.Offer(dec.Assessment); always && dec.Action == gate.Ask && !dec.Once {
		lines = append(lines, "always would approve: "+termsafe.Visible(pattern.Shape()))
	}
	if d.Untrusted != nil && runsGit(dec.Assessment.Commands) {
		lines = append(lines, "git is not trusted here: "+termsafe.Line(d.Untrusted.Error()))
	}
	return a.Println(strings.Join(lines, "\n"))
}

// runsGit reports whether one of the commands is git, at any depth.
func runsGit(list []risk.Simple) bool {
	for _, c := range list {
		if len(c.Argv) > 0 && path.Base(c.Argv[0]) == "git" || runsGit(c.Runs) {
			return true
		}
	}
	return false
}
