package memcmd

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"ken/internal/cli/app"
	"ken/internal/memory"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// exportCommand stands at the top and below `memory`.
func exportCommand(a *app.App) *cobra.Command {
	var c choice
	var format string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "export",
		Short: "the whole active memory: to read, to keep or for a program",
		Long: `Export prints what is remembered on standard output: as Markdown with rules and what
is pinned first; as JSON Lines, which are a memory file of their own; or as one JSON
object with counts and provenance. What was forgotten is in none of them, and secrets
are masked.`,
		Example: "  ken export > memory.md\n  ken export --format jsonl > memory.jsonl\n  ken export --kind rule --kind pref",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				format = "json"
			}
			if err := app.OneOf("--format", format, "md", "jsonl", "json"); err != nil {
				return err
			}
			return export(a, cmd, c, format)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&format, "format", "md", "print it as `md|jsonl|json`")
	fl.BoolVar(&asJSON, "json", false, "same as --format json")
	fl.StringVar(&c.scope, "scope", "", "only those of `SCOPE`: user, here, repo, dir, or a full one")
	fl.StringSliceVar(&c.kinds, "kind", nil, "only those of `KIND`; may be given again")
	fl.BoolVar(&c.past, "all", false, "also what has expired, is not valid yet, or is of a scope that is switched off")
	return cmd
}

func export(a *app.App, cmd *cobra.Command, c choice, format string) error {
	past := c.past
	c.past = true
	items, err := chosen(a, cmd, c)
	if err != nil {
		return err
	}
	s, err := a.State(cmd.Context())
	if err != nil {
		return err
	}
	all, now := len(items), a.Env.Now()
	if !past {
		items = slices.DeleteFunc(items, func(it memory.Item) bool { return !it.Current(now) })
	}
	left := all - len(items)
	off := 0
	if !past && c.scope == "" {
		all = len(items)
		items = slices.DeleteFunc(items, func(it memory.Item) bool { return a.ScopeOff(string(it.Record.Scope)) })
		off = all - len(items)
	}
	items, masked := maskItems(a, items)
	notes := exportNotes(s, left, masked)
	if off > 0 {
		notes = append(notes, fmt.Sprintf("left out, since their scope is switched off: %s (--all)", view.Count(off, "item")))
	}
	switch format {
	case "json":
		return a.PrintJSON(exportView(s, items, notes))
	case "jsonl":
		var b []byte
		for _, r := range view.ExportRecords(items, s.OwnLog(), s.MaxID("")+1) {
			b = append(termsafe.AppendJSONSafe(b, r.AppendJSON(nil)), '\n')
		}
		_, err = a.Env.Stdout.Write(b)
	default:
		if len(items) == 0 {
			err = a.Println("(no memory items)")
		} else {
			err = a.Println(view.ExportText(items, now))
		}
	}
	for _, n := range notes {
		a.Status("%s", n)
	}
	return err
}

// exportNotes say what is left out of an export, and what is altered in it.
func exportNotes(s *memory.State, left, masked int) (notes []string) {
	if masked > 0 {
		notes = append(notes, fmt.Sprintf("secrets are masked in %s", view.Count(masked, "item")))
	}
	if left > 0 {
		notes = append(notes, fmt.Sprintf("left out, since expired or not valid yet: %s (--all)", view.Count(left, "item")))
	}
	if n := len(s.Waiting()); n > 0 {
		notes = append(notes, fmt.Sprintf("left out, since nobody has said yes: %s", view.Count(n, "item")))
	}
	return notes
}

// exportView is an export for a program, which is told besides what a person
// knows or reads among the warnings.
func exportView(s *memory.State, items []memory.Item, notes []string) view.Export {
	notes = append([]string{"what was forgotten or erased is left out"}, notes...)
	bad := 0
	for _, p := range s.Problems() {
		if p.Unreadable {
			bad++
		}
	}
	if bad > 0 {
		notes = append(notes, fmt.Sprintf("left out, since it cannot be read: %s", view.Count(bad, "line")))
	}
	return view.ExportOf(items, notes, bad > 0)
}

// maskItems masks the secrets in items: what was kept with --force, or written by
// hand, is for the file alone. n is how many items had any.
func maskItems(a *app.App, items []memory.Item) (safe []memory.Item, n int) {
	safe = slices.Clone(items)
	for i, it := range safe {
		found := false
		mask := func(text string) string {
			text, hits := a.Mask(text)
			found = found || len(hits) > 0
			return text
		}
		rec, d := *it.Record, it.Record.Details()
		rec.Content, rec.Key, rec.Tags = mask(rec.Content), mask(rec.Key), slices.Clone(rec.Tags)
		for j, tag := range rec.Tags {
			rec.Tags[j] = mask(tag)
		}
		d.Extra = slices.Clone(d.Extra)
		for j, f := range d.Extra {
			if value := json.RawMessage(mask(string(f.Value))); json.Valid(value) {
				d.Extra[j].Value = value
			} else {
				d.Extra[j].Value = json.RawMessage("null")
			}
		}
		if found {
			rec.Detail, safe[i].Record = &d, &rec
			n++
		}
	}
	return safe, n
}
