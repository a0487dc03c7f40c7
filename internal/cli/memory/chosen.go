package memory

import (
	"github.com/spf13/cobra"

	"ken/internal/app"
	"ken/internal/cli/term"
)

// A choice says which memories are wanted.
type choice struct {
	scope string   // "": any
	kinds []string // none: any
	past  bool     // also those that do not hold
	asOf  string   // the date at which they hold; "": now
}

func (c *choice) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&c.scope, "scope", "", "only those of `SCOPE`: user, here, repo, dir, or a full one")
	fl.StringSliceVar(&c.kinds, "kind", nil, "only those of `KIND`; may be given again")
	fl.StringVar(&c.asOf, "as-of", "", "as it stood at the end of `DATE`: 2026-03-05, 2026-03, yesterday, or a time")
}

// chosen are the memories wanted.
func chosen(a *term.Run, cmd *cobra.Command, c choice) (app.Selection, error) {
	w := app.ItemFilter{Scope: c.scope, Kinds: c.kinds, Past: c.past}
	if c.asOf != "" {
		now := a.Env.Now()
		day, err := date("--as-of", c.asOf, now)
		if err != nil {
			return app.Selection{}, err
		}
		w.AsOf = day.End(now)
	}
	return app.Items(cmd.Context(), a.Home, w)
}
