package memory

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/pick"
	"ken/internal/scrub"
	"ken/internal/view"
)

// maskFlags are those of scan that have to do with --mask.
type maskFlags struct {
	on, dryRun, yes, forced, asJSON bool
	refs                            []string
}

func (m *maskFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&m.on, "mask", false, "put placeholders in the place of secrets, in every file")
	f.BoolVar(&m.dryRun, "dry-run", false, "with --mask: only say what would be masked")
	f.BoolVar(&m.yes, "yes", false, "with --mask: do not ask")
	f.BoolVar(&m.forced, "forced", false, "with --mask: also what was kept with --force")
}

func mask(a *term.Run, cmd *cobra.Command, m maskFlags) error {
	e, err := a.Home.Memory.Eraser()
	if err != nil {
		return err
	}
	s, err := a.Home.Memory.State(cmd.Context())
	if err != nil {
		return err
	}
	want := scrub.MaskWant{Forced: m.forced}
	ids, err := pick.Refs(m.refs)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if s.Status(id) == memory.StatusUnknown {
			return fault.NotFoundf("#%s: there is no such memory", id)
		}
		want.IDs = append(want.IDs, id)
	}
	plan, err := e.PlanMask(cmd.Context(), a.Home.Keys.Knowing, want)
	if err != nil {
		return err
	}
	dir := a.Home.Settings.Paths().Data
	out := view.Masked{Masked: view.Below(dir, plan.Places), Kept: view.Below(dir, plan.Kept), Words: plan.Words}
	if m.dryRun {
		if out.DryRun = true; m.asJSON {
			return a.PrintJSON(out)
		}
		return a.Println(strings.Join(append([]string{"would mask " + out.Sum()}, out.Plan()...), "\n  "))
	}
	if !plan.Nothing() && !m.yes {
		for _, line := range out.Plan() {
			a.Say("  ", line)
		}
		yes, err := a.Person.Confirm(cmd.Context(), fmt.Sprintf("mask for good: %s?", out.Sum()))
		if err != nil {
			return err
		}
		if !yes {
			if m.asJSON {
				return a.PrintJSON(view.Masked{Masked: []view.Occurrence{}, Kept: out.Kept})
			}
			return a.Println("nothing was masked")
		}
	}
	if err := a.Home.Memory.Mask(cmd.Context(), e, plan); err != nil {
		return err
	}
	proof, err := e.VerifyMask(cmd.Context(), plan)
	if err != nil {
		return err
	}
	proof.At, proof.Kept = view.Below(dir, proof.At), view.Below(dir, proof.Kept)
	out.Lines, out.Proof, out.Kept = plan.Lines, &proof, proof.Kept
	return tellMasked(a, out, m.asJSON)
}

// tellMasked says what was masked and what a look into every file found. A secret
// that is left is an error, printed on standard output all the same.
func tellMasked(a *term.Run, m view.Masked, asJSON bool) error {
	err := term.Answer(a, asJSON, m, func() string { return strings.Join(m.Done(), "\n") })
	if m.Proof.Clean() {
		return err
	}
	var left []string
	if m.Proof.Left > 0 {
		left = append(left, view.Count(m.Proof.Left, "secret"))
	}
	if n := len(m.Proof.Unread); n > 0 {
		left = append(left, view.Count(n, "file")+" not read")
	}
	return errors.Join(err, fault.Failuref("not everything is masked: %s", strings.Join(left, ", ")).
		WithHint("those files are yours: take it out there by hand"))
}
