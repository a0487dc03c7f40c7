package app

import (
	"context"

	"ken/internal/usage"
)

// uses is where it is noted when memories were last of use; after Settings.
func (a *App) uses() *usage.Book {
	if a.used == nil {
		a.used = &usage.Book{Path: a.paths.Usage(), Dir: a.paths.Data, Now: a.Env.Now}
	}
	return a.used
}

// UsedRefs are the references of what was ever of use, in no order; after Settings.
func (a *App) UsedRefs() []string { return a.uses().Refs() }

// Used notes that memories were of use. That it cannot be noted costs nobody
// anything, and is told to who asked for more.
func (a *App) Used(ctx context.Context, refs ...string) {
	if len(refs) == 0 || !a.MemoryOn() {
		return
	}
	a.uses().Use(refs...)
	if err := a.uses().Flush(context.WithoutCancel(ctx)); err != nil && a.Flags.Verbose {
		a.WarnOnce(err)
	}
}
