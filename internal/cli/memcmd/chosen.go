package memcmd

import (
	"slices"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/app"
	"ken/internal/memory"
	"ken/internal/memory/asof"
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

// chosen are the memories wanted, newest first, with how they stand, and the time
// for which they do.
func chosen(a *app.App, cmd *cobra.Command, c choice) ([]asof.Standing, time.Time, error) {
	now := a.Env.Now()
	day, err := date("--as-of", c.asOf, now)
	if err != nil {
		return nil, now, err
	}
	at := now
	if c.asOf != "" {
		at = day.End(now)
	}
	s, err := a.State(cmd.Context())
	if err != nil {
		return nil, now, err
	}
	a.TellProblems(s)
	all := asof.All(asof.Told(s, at, now), at)
	if all, err = ofKinds(all, c.kinds); err != nil {
		return nil, now, err
	}
	full := ""
	if c.scope != "" {
		if full, err = a.FullScope(cmd.Context(), c.scope); err != nil {
			return nil, now, err
		}
	}
	return slices.DeleteFunc(all, func(it asof.Standing) bool {
		return full != "" && !a.Place().Same(string(it.Record.Scope), full) ||
			!c.past && it.Status != memory.StatusActive.String()
	}), at, nil
}
