package home

import (
	"context"
	"time"

	"ken/internal/fault"
	"ken/internal/usage"
)

// uses is where it is noted when memories were last of use; after Settings.
func (a *Home) uses() *usage.Stats {
	if a.used == nil {
		a.used = &usage.Stats{Path: a.Settings.paths.Usage(), Dir: a.Settings.paths.Data, Now: a.o.Now}
	}
	return a.used
}

// Sent notes that memories stood in a start-up block that was sent; as Used does.
func (a *Home) Sent(ctx context.Context, refs ...string) {
	if len(refs) == 0 || !a.Settings.MemoryOn() {
		return
	}
	a.uses().Sent(refs...)
	a.flushUses(ctx)
}

// LastSent tells when a memory last stood in a start-up block that was sent; after
// Settings.
func (a *Home) LastSent() func(ref string) time.Time { return a.uses().LastSent }

// See notes that the lines of memories are seen, if it is for the first time; as Used
// does.
func (a *Home) See(ctx context.Context, refs ...string) {
	if len(refs) == 0 || !a.Settings.MemoryOn() {
		return
	}
	a.uses().See(refs...)
	a.flushUses(ctx)
}

// FirstSeen tells when the line of a memory was first seen; the zero time if that was
// never noted; after Settings.
func (a *Home) FirstSeen() func(ref string) time.Time { return a.uses().FirstSeen }

// flushUses writes what was noted.
func (a *Home) flushUses(ctx context.Context) {
	a.Warn(fault.Detail(fault.Once(a.uses().Flush(context.WithoutCancel(ctx)))))
}

// UsedRefs are the references of what was ever of use, in no order; after Settings.
func (a *Home) UsedRefs() []string { return a.uses().Refs() }

// Used notes that memories were of use. That it cannot be noted costs nobody
// anything, and is told to who asked for more.
func (a *Home) Used(ctx context.Context, refs ...string) {
	if len(refs) == 0 || !a.Settings.MemoryOn() {
		return
	}
	a.uses().Use(refs...)
	a.flushUses(ctx)
}

// Uses tells when memories were last of use, and how often, as far as the file says
// now and this run knows. It needs Settings.
func (a *Home) Uses() (last func(ref string) time.Time, count func(ref string) int) {
	now := &usage.Stats{Path: a.Settings.paths.Usage(), Dir: a.Settings.paths.Data, Now: a.o.Now}
	return func(ref string) time.Time {
		if at := a.uses().Latest(ref); at.After(now.Last(ref)) {
			return at
		}
		return now.Last(ref)
	}, now.Count
}
