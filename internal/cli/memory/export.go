package memory

import (
	"bufio"
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// exportCommand stands at the top and below `memory`.
func exportCommand(a *term.Run) *cobra.Command {
	var c choice
	var format string
	var asJSON, asLines bool
	cmd := &cobra.Command{
		Use:   "export",
		Short: "export all active memories",
		Long: `Export prints what is remembered on standard output: as Markdown with rules and what
is pinned first; as JSON Lines, which are a memory file of their own; or as one JSON
object with counts and provenance. What was forgotten is in none of them, and secrets
are masked. With --as-of it is the memory as it stood on that date, as it was recorded by
then; what was forgotten since is left out all the same.`,
		Example:     "  ken export > memory.md\n  ken export --format jsonl > memory.jsonl\n  ken export --kind rule --kind pref",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				format = "json"
			}
			if asLines {
				format = "jsonl"
			}
			if err := term.OneOf("--format", format, "md", "jsonl", "json"); err != nil {
				return err
			}
			return export(a, cmd, c, format)
		},
	}
	c.add(cmd)
	fl := cmd.Flags()
	fl.StringVar(&format, "format", "md", "print it as `md|jsonl|json`")
	fl.BoolVar(&asJSON, "json", false, "same as --format json")
	fl.BoolVar(&asLines, "jsonl", false, "same as --format jsonl")
	cmd.MarkFlagsMutuallyExclusive("json", "jsonl")
	fl.BoolVar(&c.past, "all", false, "also what does not hold (expired, not valid yet, ended), or is of a scope that is switched off")
	return cmd
}

func export(a *term.Run, cmd *cobra.Command, c choice, format string) error {
	past := c.past
	c.past = true
	sel, err := chosen(a, cmd, c)
	if err != nil {
		return err
	}
	s := sel.State
	left, off := 0, 0
	sel.Items.Keep(func(it asof.Standing) bool {
		switch {
		case it.Status == memory.StatusSuperseded.String(): // it would stand beside what took its place
			return false
		case it.Status != memory.StatusActive.String() && !past:
			left++
			return false
		case !past && c.scope == "" && a.Home.Here.ScopeOff(string(it.Record.Scope)):
			off++
			return false
		}
		return true
	})
	if format != "json" {
		masked, err := pour(a, sel, format)
		tellExport(a, exportNotes(s, left, masked, off))
		return err
	}
	items := make([]memory.Item, 0, sel.Items.Len())
	for it := range sel.Items.Each() {
		items = append(items, it.Item)
	}
	items, masked := app.Masked(a.Home, items)
	return a.PrintJSON(app.Whole(s, items, exportNotes(s, left, masked, off)))
}

// pour prints an export item by item, and returns how many were masked for it.
func pour(a *term.Run, sel app.Selection, format string) (masked int, err error) {
	item := func(n int) memory.Item { return sel.Items.Item(n).Item }
	show := func(it memory.Item) memory.Item {
		it, found := app.MaskedItem(a.Home, it)
		if found {
			masked++
		}
		return it
	}
	switch {
	case format == "jsonl":
		s := sel.State
		err = exportLines(a.Env.Stdout, view.Exported{
			Items: sel.Items.Len(), Item: item, Show: show, Own: s.OwnLog(), Next: s.MaxID("") + 1,
		})
	case sel.Items.Len() == 0:
		err = a.Println("(no memory items)")
	default:
		err = term.Pour(a, func(w io.Writer) error { return view.ExportText(w, sel.Items.Len(), item, show, sel.At) })
	}
	return masked, err
}

// exportLines prints an export for programs.
func exportLines(w io.Writer, x view.Exported) (err error) {
	out := bufio.NewWriter(w)
	var made, safe []byte
	for r := range x.Records() {
		made = r.AppendJSON(made[:0])
		safe = append(termsafe.AppendJSONSafe(safe[:0], made), '\n')
		if _, err = out.Write(safe); err != nil {
			break
		}
	}
	return cmp.Or(err, out.Flush())
}

// exportNotes says what an export has not.
func exportNotes(s *memory.State, left, masked, off int) []string {
	notes := app.Notes(s, left, masked)
	if off > 0 {
		notes = append(notes, fmt.Sprintf("left out, since their scope is switched off: %s (--all)", view.Count(off, "item")))
	}
	return notes
}

func tellExport(a *term.Run, notes []string) {
	for _, n := range notes {
		a.Status("%s", n)
	}
}
