package app

import (
	"context"
	"time"

	"ken/internal/fault"
	"ken/internal/usage"
)

// Uses is when memories were last of use, sent and seen. It is noted while memory is on,
// and what cannot be noted costs nobody anything.
type Uses struct {
	o        *terms
	settings *Settings

	used *usage.Stats // nil: not asked for
}

// book is where it is noted when memories were last of use; after Settings.
func (u *Uses) book() *usage.Stats {
	if u.used == nil {
		u.used = &usage.Stats{Path: u.settings.paths.Usage(), Dir: u.settings.paths.Data, Now: u.o.Now}
	}
	return u.used
}

// Sent notes that memories stood in a start-up block that was sent; as Used does.
func (u *Uses) Sent(ctx context.Context, refs ...string) {
	if len(refs) == 0 || !u.settings.MemoryOn() {
		return
	}
	u.book().Sent(refs...)
	u.flush(ctx)
}

// SentBy is Sent of who waits no longer than ctx lasts.
func (u *Uses) SentBy(ctx context.Context, refs ...string) {
	if len(refs) == 0 || !u.settings.MemoryOn() {
		return
	}
	u.book().Sent(refs...)
	u.flushBy(ctx)
}

// LastSent returns when a memory last stood in a start-up block that was sent; after
// Settings.
func (u *Uses) LastSent() func(ref string) time.Time { return u.book().LastSent }

// See notes that the lines of memories are seen, if it is for the first time; as Used
// does.
func (u *Uses) See(ctx context.Context, refs ...string) {
	if len(refs) == 0 || !u.settings.MemoryOn() {
		return
	}
	u.book().See(refs...)
	u.flush(ctx)
}

// FirstSeen returns when the line of a memory was first seen; the zero time if that was
// never noted; after Settings.
func (u *Uses) FirstSeen() func(ref string) time.Time { return u.book().FirstSeen }

// flush writes what was noted, whatever its person cancels.
func (u *Uses) flush(ctx context.Context) { u.flushBy(context.WithoutCancel(ctx)) }

// flushBy writes what was noted while ctx lasts.
func (u *Uses) flushBy(ctx context.Context) {
	if u.settings.ReadOnly() {
		return
	}
	u.o.Voice.Warn(fault.Detail(fault.Once(u.book().Flush(ctx))))
}

// Refs returns the references of what was ever of use, in no order; after Settings.
func (u *Uses) Refs() []string { return u.book().Refs() }

// Before returns when memories were last of use, as may have been known within that second;
// after Settings.
func (u *Uses) Before(at time.Time) []func(ref string) time.Time { return u.book().Before(at) }

// Used notes that memories were of use. That it cannot be noted costs nobody
// anything, and is printed for who asked for more.
func (u *Uses) Used(ctx context.Context, refs ...string) {
	if len(refs) == 0 || !u.settings.MemoryOn() {
		return
	}
	u.book().Use(refs...)
	u.flush(ctx)
}

// Counts returns when memories were last of use, and how often, as far as the file says
// now and this run knows. It needs Settings.
func (u *Uses) Counts() (last func(ref string) time.Time, count func(ref string) int) {
	now := &usage.Stats{Path: u.settings.paths.Usage(), Dir: u.settings.paths.Data, Now: u.o.Now}
	return func(ref string) time.Time {
		if at := u.book().Latest(ref); at.After(now.Last(ref)) {
			return at
		}
		return now.Last(ref)
	}, now.Count
}
