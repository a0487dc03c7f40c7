package turn

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"ken/internal/agent"
	"ken/internal/fault"
	"ken/internal/session"
	"ken/internal/working"
)

// most is how many conversations are looked at that may have ended without leaving
// anything: a machine that lost its power had no more of them open.
const most = 5

// catchUp keeps what a conversation was to leave that ended in a crash.
func (c *carryOver) catchUp(ctx context.Context) {
	if !c.on() || c.app.Settings.ReadOnly() {
		return
	}
	m, err := c.app.Working().Read()
	if errors.Is(err, working.ErrMalformed) {
		return // whoever wrote that may miss it
	}
	c.known = m.Updated
	dir := c.app.Conversations.Dir()
	paths, err := dir.Paths()
	if err != nil {
		return // listing the conversations reports it
	}
	var late []string
	for _, path := range paths[:min(most, len(paths))] {
		fi, err := os.Stat(path)
		if err != nil || !fi.ModTime().After(m.Updated) {
			break // all others are older
		}
		late = append(late, path)
	}
	for _, path := range slices.Backward(late) { // what is newest is written last
		c.catchUpOn(ctx, dir, path, m.Updated)
	}
}

// catchUpOn is catchUp for one conversation; of several that ended so, all are in the
// working memory then.
func (c *carryOver) catchUpOn(ctx context.Context, dir session.Dir, path string, since time.Time) {
	t, err := dir.Load(path)
	if err != nil || !c.owed(t, since) {
		return
	}
	rec, t, err := dir.Open(path)
	if err != nil {
		return // it is being held, or another process was faster
	}
	defer func() { _ = rec.Close() }() // the next start tries again
	if !c.owed(t, since) {
		return
	}
	var o agent.SessionOptions
	c.shape(&o.Options)
	conv := agent.Over(c.app, o, rec)
	conv.Continue(ctx, t.Live(), rec, "")
	known := c.known
	if _, err := c.save(ctx, conv.Checkpoint(ctx, c.settings().Memory.WorkingMemoryMaxTokens)); err != nil {
		c.app.Warn(fault.Once(err))
		return
	}
	c.known, c.wrote = known, ""                // it is another conversation
	_ = rec.AppendEvent(checkpoint(rec.Last())) // else the next start says it once more
	c.app.Notef("the last conversation did not end in order; recent context is from what it left")
}

// owed reports whether a conversation should have left something and has not.
func (c *carryOver) owed(t *session.Transcript, since time.Time) bool {
	switch t.Header.Channel {
	case session.ChannelTerminal, session.ChannelAsk, session.ChannelWeb, session.ChannelTelegram, "acp":
	default: // nobody's own words
		return false
	}
	live := t.Live()
	if asked(live.Turns) < leastTurns && (live.Summary == "" || asked(live.Turns) == 0) {
		return false
	}
	last := live.Turns[len(live.Turns)-1]
	for _, e := range t.Entries {
		if e.Event != nil && e.Event.Name == eventCheckpoint && e.Event.Int("n") >= last.N {
			return false
		}
	}
	ends := last.Time.AddDate(0, 0, c.settings().Memory.WorkingMemoryTTLDays)
	return last.Time.After(since) && c.app.Now().Before(ends)
}
