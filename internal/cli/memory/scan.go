package memory

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/scan"
	"ken/internal/scrub"
	"ken/internal/session"
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
				if err := term.OneOf("--only", k, names()...); err != nil {
					return err
				}
			}
			return look(a, cmd, kinds, asJSON)
		},
	}
	m.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array; with --mask, an object")
	cmd.Flags().StringSliceVar(&kinds, "only", nil, "only findings of `"+strings.Join(names(), "|")+"`; may be given again")
	return cmd
}

// names are the kinds of findings.
func names() []string {
	var list []string
	for _, k := range [...]scan.Kind{scan.Secret, scan.Contradiction, scan.Duplicate, scan.Stale, scan.Loop, scan.Rests, scan.Unknown, scan.Damage} {
		list = append(list, string(k))
	}
	return list
}

// errFound says that there are findings; they were printed.
var errFound = errors.New("there are findings")

func look(a *term.Run, cmd *cobra.Command, kinds []string, asJSON bool) error {
	s, err := a.Home.Memory.State(cmd.Context())
	if err != nil {
		return err
	}
	found, err := secrets(a, cmd)
	if err != nil {
		return err
	}
	transcripts, err := conversations(a)
	if err != nil {
		return err
	}
	found = append(found, scan.Memory(scan.Input{State: s, Transcripts: transcripts, Now: a.Env.Now()})...)
	if len(kinds) > 0 {
		found = slices.DeleteFunc(found, func(f scan.Finding) bool { return !slices.Contains(kinds, string(f.Kind)) })
	}
	order := names()
	slices.SortStableFunc(found, func(x, y scan.Finding) int {
		return slices.Index(order, string(x.Kind)) - slices.Index(order, string(y.Kind))
	})
	for i := range found {
		f := &found[i]
		f.Text, f.Why = view.Excerpt(a.Home.Keys.MaskText(f.Text), 80), a.Home.Keys.MaskText(f.Why)
		if f.Fix != "" {
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
	for _, name := range names() {
		if n := count[scan.Kind(name)]; n > 0 {
			sum = append(sum, fmt.Sprintf("%s %d", name, n))
		}
	}
	b.WriteString(view.Count(len(found), "finding") + ": " + strings.Join(sum, ", "))
	return a.Println(b.String())
}

// conversations are those that can be read; the others are reported elsewhere.
func conversations(a *term.Run) ([]*session.Transcript, error) {
	var list []*session.Transcript
	for _, dir := range []session.Dir{a.Home.Conversations.Dir(), a.Home.Conversations.Dir().Imports()} {
		paths, err := dir.Paths()
		if err != nil {
			return nil, err
		}
		slices.Sort(paths)
		for _, path := range paths {
			t, err := dir.Load(path)
			if err != nil {
				a.Warn(err)
				continue
			}
			list = append(list, t)
		}
	}
	return list, nil
}

// secrets looks through every file that ken writes, as --mask does.
func secrets(a *term.Run, cmd *cobra.Command) ([]scan.Finding, error) {
	e, err := a.Home.Memory.Eraser()
	if err != nil {
		return nil, err
	}
	plan, err := e.PlanMask(cmd.Context(), a.Home.Keys.Knowing, scrub.MaskWant{})
	if err != nil {
		return nil, err
	}
	var found []scan.Finding
	for _, p := range relative(a, slices.Concat(plan.Places, plan.Kept)) {
		x := scan.Finding{
			Kind: scan.Secret, Ref: p.Ref, Where: p.Path, Text: p.Text, Fix: "memory scan --mask",
			Why: "it seems to hold a secret (" + strings.Join(p.Kinds, ", ") + ")",
		}
		if p.Line > 0 {
			x.Where = fmt.Sprintf("%s:%d", p.Path, p.Line)
		}
		switch p.Kept {
		case scrub.KeptForced:
			x.Why += "; you had it kept with --force"
			x.Fix += scan.Fix(" " + p.Ref)
		case scrub.KeptReplica:
			x.Fix = scan.Fix("forget --for-good " + p.Ref)
			if p.Ref == "" {
				x.Fix = ""
			}
		case scrub.KeptRepo:
			x.Fix = ""
		}
		found = append(found, x)
	}
	return found, nil
}
