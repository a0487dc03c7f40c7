package memory

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/pick"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/scrub"
	"ken/internal/termsafe"
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
	out := view.Masked{Masked: relative(a, plan.Places), Kept: relative(a, plan.Kept), Words: plan.Words}
	if m.dryRun {
		if out.DryRun = true; m.asJSON {
			return a.PrintJSON(out)
		}
		return a.Println(strings.Join(append([]string{"would mask " + placesSum(plan.Places)}, maskLines(out)...), "\n  "))
	}
	if !plan.Nothing() && !m.yes {
		for _, line := range maskLines(out) {
			a.Say("  ", line)
		}
		yes, err := a.Person.Confirm(cmd.Context(), fmt.Sprintf("mask for good: %s?", placesSum(plan.Places)))
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
	if !plan.Nothing() {
		if err := e.RunMask(cmd.Context(), plan); err != nil {
			fail := fault.New(fault.Failure, fmt.Errorf("not all was masked: %w", err))
			if errors.Is(err, jsonl.ErrChanged) {
				return fail.WithHint("it was written to meanwhile, and left as it is; the same command does the rest")
			}
			return fail.WithHint("what was done is done; the same command does the rest")
		}
		a.Home.Memory.Changed()
	}
	proof, err := e.VerifyMask(cmd.Context(), plan)
	if err != nil {
		return err
	}
	proof.At, proof.Kept = relative(a, proof.At), relative(a, proof.Kept)
	out.Lines, out.Proof, out.Kept = plan.Lines, &proof, proof.Kept
	return tellMasked(a, out, m.asJSON)
}

// relative gives the places with their paths as a person reads them; never nil.
func relative(a *term.Run, places []view.Occurrence) []view.Occurrence {
	list := make([]view.Occurrence, len(places))
	for i, p := range places {
		if name, err := filepath.Rel(a.Home.Settings.Paths().Data, p.Path); err == nil && !strings.HasPrefix(name, "..") {
			p.Path = name
		}
		p.Text = view.Excerpt(p.Text, 80)
		list[i] = p
	}
	return list
}

// placesSum is how much it is, in a few words.
func placesSum(places []view.Occurrence) string {
	files := make(map[string]bool)
	for _, p := range places {
		files[p.Path] = true
	}
	return fmt.Sprintf("%s in %s", view.Count(len(places), "place"), view.Count(len(files), "file"))
}

// mostPlaces is how many places a person reads one by one.
const mostPlaces = 40

// maskLines is what would be masked and what would stay, for a person.
func maskLines(m view.Masked) []string {
	lines := placeLines(m.Masked, "")
	lines = append(lines, placeLines(m.Kept, "stays: ")...)
	if m.Words > 0 {
		lines = append(lines, wordsNote(m.Words))
	}
	return lines
}

func wordsNote(n int) string {
	return fmt.Sprintf("%s could be ordinary words: masked where something says that they are secrets, and not looked for elsewhere", view.Count(n, "secret"))
}

func placeLines(places []view.Occurrence, before string) []string {
	var lines []string
	for i, p := range places {
		if i == mostPlaces {
			return append(lines, fmt.Sprintf("%s... and %d more", before, len(places)-i))
		}
		line := before + termsafe.Line(p.Path)
		if p.Line > 0 {
			line += fmt.Sprintf(":%d", p.Line)
		}
		if p.Ref != "" {
			line += " #" + p.Ref
		}
		line += " (" + strings.Join(p.Kinds, ", ") + ")"
		if p.Kept != "" {
			line += ": " + p.Kept
		}
		if p.Text != "" {
			line += ": \"" + p.Text + "\""
		}
		lines = append(lines, line)
	}
	return lines
}

// tellMasked says what was masked and what a look into every file found. A secret
// that is left is an error, printed on standard output all the same.
func tellMasked(a *term.Run, m view.Masked, asJSON bool) error {
	var err error
	if proof := m.Proof; asJSON {
		err = a.PrintJSON(m)
	} else {
		lines := []string{"nothing to mask"}
		if len(m.Masked) > 0 {
			lines = []string{"masked " + placesSum(m.Masked)}
		}
		if m.Words > 0 {
			lines = append(lines, wordsNote(m.Words))
		}
		lines = append(lines, placeLines(m.Kept, "stays: ")...)
		lines = append(lines, fmt.Sprintf("looked into %s: secrets left: %d", view.Count(proof.Files, "file"), proof.Left))
		lines = append(lines, placeLines(proof.At, "  ")...)
		for _, u := range proof.Unread {
			lines = append(lines, "  not read: "+termsafe.Line(u))
		}
		for _, b := range proof.Beyond {
			lines = append(lines, "not reached: what was committed to "+termsafe.Line(filepath.Clean(b)))
		}
		err = a.Println(strings.Join(lines, "\n"))
	}
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
