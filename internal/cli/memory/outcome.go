package memory

import (
	"fmt"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// jsonFlag adds --json to a command that changes something.
func jsonFlag(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "what was done, as a JSON array")
}

// tell answers with what was done: one line each, or all as one JSON array.
func tell(a *term.Run, asJSON bool, deeds ...view.Outcome) error {
	if asJSON {
		if deeds == nil {
			deeds = []view.Outcome{}
		}
		return a.PrintJSON(deeds)
	}
	for _, d := range deeds {
		line := d.Did + d.Note
		if d.Ref != "" {
			line = fmt.Sprintf("%s %s%s", d.Did, d.Name(), d.Note)
		}
		if d.Duplicate != "" {
			line = fmt.Sprintf("already remembered as #%s (nothing written)", d.Duplicate)
		}
		if d.Binds != "" {
			line += "; " + termsafe.Line(d.Binds)
		}
		if d.Undo != "" {
			line += fmt.Sprintf(" (undo: %s%s)", d.Undo, d.Wider)
		}
		if err := a.Println(line); err != nil {
			return err
		}
	}
	return nil
}
