package memcmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"ken/internal/cli/app"
	"ken/internal/termsafe"
)

// A deed is what a command did to one memory, and how to take it back.
type deed struct {
	Did  string `json:"did"`               // "remembered", "forgot", ...; "duplicate": nothing
	Ref  string `json:"ref"`               // the memory or the line that it was done to
	Line string `json:"line,omitempty"`    // the line that it wrote; "" with --dry-run
	Text string `json:"content,omitempty"` // of the memory, where it is shown
	Undo string `json:"undo,omitempty"`    // the command that takes it back
	// Duplicate is the memory that said the same already.
	Duplicate string   `json:"duplicate_of,omitempty"`
	Near      []string `json:"near,omitempty"`  // memories that say nearly the same
	Binds     string   `json:"binds,omitempty"` // of a rule: what is checked before commands run, or "prompt only"
	note      string   // what stands behind the reference in the form for people
	// conversation says that Ref names one, and no memory.
	conversation bool
}

// name is what it was done to, for people.
func (d deed) name() string {
	if d.conversation {
		return "conversation " + d.Ref
	}
	return "#" + d.Ref
}

// jsonFlag adds --json to a command that changes something.
func jsonFlag(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "what was done, as a JSON array")
}

// tell answers with what was done: one line each, or all as one JSON array.
func tell(a *app.App, asJSON bool, deeds ...deed) error {
	if asJSON {
		if deeds == nil {
			deeds = []deed{}
		}
		return a.PrintJSON(deeds)
	}
	for _, d := range deeds {
		line := d.Did + d.note
		if d.Ref != "" {
			line = fmt.Sprintf("%s %s%s", d.Did, d.name(), d.note)
		}
		if d.Duplicate != "" {
			line = fmt.Sprintf("already remembered as #%s (nothing written)", d.Duplicate)
		}
		if d.Binds != "" {
			line += "; " + termsafe.Line(d.Binds)
		}
		if d.Undo != "" {
			line += fmt.Sprintf(" (undo: %s)", d.Undo)
		}
		if err := a.Println(line); err != nil {
			return err
		}
	}
	return nil
}
