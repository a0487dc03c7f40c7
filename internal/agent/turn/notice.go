package turn

import (
	"context"
	"os"

	"ken/internal/scrub"
	"ken/internal/session"
)

// Notice looks what others have done since it last did: another process, or a person
// with an editor. A memory that changed is chosen from anew; what was erased leaves what
// is live, what commands printed and was not sent yet, and what was not saved yet. It
// begins a moment.
func (d *Dialog) Notice(ctx context.Context) {
	d.moment = nil
	if d.conv == nil {
		return // nothing is held
	}
	was, file := d.state, d.file
	if d.home.Settings.MemoryOn() {
		now, err := d.now().State(ctx)
		if err != nil {
			return // reported by whoever needs the memory
		}
		d.state = now
	}
	d.file, _ = os.Stat(d.rec.Path())
	gone := scrub.ErasedSince(was, d.state)
	if was != nil && was != d.state {
		d.conv.Refresh()
	}
	if d.state != nil && was != d.state {
		d.carry.drop(ctx, d.state)
	}
	if replaced := file != nil && d.file != nil && !os.SameFile(file, d.file); replaced || gone.Len() > 0 {
		d.forget(gone.InBytes)
	}
}

// Changed says that this process wrote to the memory: the next request sees it. gone reports
// whether a text holds what it erased; nil: nothing.
func (d *Dialog) Changed(gone func(text []byte) bool) {
	if d.moment = nil; d.conv == nil {
		return
	}
	d.conv.Refresh()
	if gone != nil {
		d.forget(gone)
	}
}

// forget takes what was erased out of what is live and of what is not saved yet. A file
// that cannot be read has nothing to say, and is reported elsewhere.
func (d *Dialog) forget(gone func(text []byte) bool) {
	var turns []session.Turn
	if t, err := session.Load(d.rec.Path()); err == nil {
		turns = t.Turns()
	}
	says := func(text string) bool { return gone([]byte(text)) }
	d.conv.Erase(says, turns)
	if d.o.Erased != nil {
		d.o.Erased(says)
	}
	d.rec.Unsaved(func(lines []byte) []byte { return scrub.Lines(lines, scrub.Rule{Holds: gone}) })
	d.file, _ = os.Stat(d.rec.Path())
}
