package memory

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/scan"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// scanCommand stands below `memory`.
func scanCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	var kinds []string
	var m maskFlags
	cmd := &cobra.Command{
		Use:     "scan [REF...]",
		Aliases: []string{"audit"},
		Short:   "find secrets, contradictions and stale memories",
		Long: `Scan looks through the memory, its replicas, the review queue and the conversations
for secrets, and through what holds now for what is there twice, what contradicts
something, what has passed its time, what came out of the memory into it again, what
rests on something forgotten, and lines that say nothing. It changes nothing: each
finding names the command that mends it, or the line of the file that has to be
changed by hand. The exit code is 1 if there is any.

With --mask it puts placeholders in the place of the secrets, in every file that ken
writes, wherever they stand there, also in base64 or a URL, and also where only
another line says that they are secrets. It shows what it would do and asks; then every
file is read again. Numbers, times and all else stay; there is no undo. What you kept
with --force stays, unless a REF names it or --forced is given. Replicas and the
repository's logs are not written.`,
		Example: "  ken memory tidy scan\n  ken memory tidy scan --mask --dry-run\n" +
			"  ken memory tidy scan --mask --yes --json\n  ken memory tidy scan --mask 3",
		Annotations: term.Writes{Person: "masks what is stored", When: []string{"--mask"}}.Note(),
		RunE: func(cmd *cobra.Command, refs []string) error {
			if m.on {
				m.refs, m.asJSON = refs, asJSON
				return mask(a, cmd, m)
			}
			if len(refs) > 0 || m.dryRun || m.yes || m.forced {
				return fault.Usagef("scan takes references, --dry-run, --yes and --forced only with --mask")
			}
			for _, k := range kinds {
				if err := term.OneOf("--only", k, scanKinds()...); err != nil {
					return err
				}
			}
			return look(a, cmd, kinds, asJSON)
		},
	}
	m.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array; with --mask, an object")
	cmd.Flags().StringSliceVar(&kinds, "only", nil, "only findings of `"+strings.Join(scanKinds(), "|")+"`; may be given again")
	return cmd
}

// scanKinds are the names of the kinds of findings.
func scanKinds() []string {
	var list []string
	for _, k := range scan.Kinds() {
		list = append(list, string(k))
	}
	return list
}

// errFound says that there are findings; they were printed.
var errFound = errors.New("there are findings")

func look(a *term.Run, cmd *cobra.Command, kinds []string, asJSON bool) error {
	var of []scan.Kind
	for _, k := range kinds {
		of = append(of, scan.Kind(k))
	}
	found, err := a.Home.Scan(cmd.Context(), of...)
	if err != nil {
		return err
	}
	for i := range found {
		if f := &found[i]; f.Fix != "" {
			f.Fix = scan.Fix(a.Verb(string(f.Fix)))
		}
	}
	if err := tellFound(a, found, asJSON); err != nil || len(found) == 0 {
		return err
	}
	return term.Reported(fault.New(fault.Failure, errFound))
}

// tellFound answers with the findings.
func tellFound(a *term.Run, found []scan.Finding, asJSON bool) error {
	if asJSON {
		out := make([]view.ScanFinding, len(found))
		for i, f := range found {
			out[i] = view.ScanFinding{
				Kind: string(f.Kind), Ref: f.Ref, Other: f.Other, Where: f.Where, Text: f.Text, Why: f.Why, Fix: string(f.Fix),
			}
		}
		return a.PrintJSON(out)
	}
	if len(found) == 0 {
		return a.Println("(nothing found)")
	}
	count := make(map[scan.Kind]int)
	var b strings.Builder
	for _, f := range found {
		count[f.Kind]++
		b.WriteString(string(f.Kind))
		if f.Ref != "" {
			b.WriteString(" #" + termsafe.Line(f.Ref))
		}
		if f.Kind == scan.Contradiction || f.Kind == scan.Duplicate {
			b.WriteString(" and #" + termsafe.Line(f.Other))
		}
		b.WriteString(": " + termsafe.Line(f.Why))
		if f.Text != "" {
			b.WriteString("\n  \"" + f.Text + "\"")
		}
		if f.Where != "" {
			b.WriteString("\n  at " + termsafe.Line(f.Where))
		}
		if f.Fix != "" {
			b.WriteString("\n  mend: " + termsafe.Line(string(f.Fix)))
		}
		b.WriteByte('\n')
	}
	var sum []string
	for _, name := range scanKinds() {
		if n := count[scan.Kind(name)]; n > 0 {
			sum = append(sum, fmt.Sprintf("%s %d", name, n))
		}
	}
	b.WriteString(view.Count(len(found), "finding") + ": " + strings.Join(sum, ", "))
	return a.Println(b.String())
}
