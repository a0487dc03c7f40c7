package keep

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

// CatchUp keeps what a conversation was to leave that ended in a crash.
func (k *Keeper) CatchUp(ctx context.Context) {
	if !k.on() {
		return
	}
	m, err := k.file().Read()
	if errors.Is(err, working.ErrMalformed) {
		return // whoever wrote that may miss it
	}
	k.known = m.Updated
	dir := k.app.SessionDir()
	paths, err := dir.Paths()
	if err != nil {
		return // whoever lists the conversations is told
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
		k.catchUp(ctx, dir, path, m.Updated)
	}
}

// catchUp is CatchUp for one conversation; of several that ended so, all are in the
// working memory then.
func (k *Keeper) catchUp(ctx context.Context, dir session.Dir, path string, since time.Time) {
	t, err := dir.Load(path)
	if err != nil || !k.owed(t, since) {
		return
	}
	rec, t, err := dir.Open(path)
	if err != nil {
		return // it is being held, or another process was faster
	}
	defer func() { _ = rec.Close() }() // the next start tries again
	if !k.owed(t, since) {
		return
	}
	conv := agent.Over(k.app, agent.SessionOptions{Shape: k.Shape}, rec)
	conv.Continue(t.Live(), rec, "")
	known := k.known
	if _, err := k.save(ctx, conv.Checkpoint(ctx, k.settings().Memory.WorkingMemoryMaxTokens)); err != nil {
		k.app.Warn(fault.Once(err))
		return
	}
	k.known = known
	_ = rec.AppendEvent(checkpoint(rec.Last())) // else the next start says it once more
	k.app.Notef("the last conversation did not end in order; recent context is from what it left")
}

// owed reports whether a conversation should have left something and has not.
func (k *Keeper) owed(t *session.Transcript, since time.Time) bool {
	if c := t.Header.Channel; c != session.ChannelTerminal && c != session.ChannelAsk {
		return false
	}
	live := t.Live()
	if asked(live.Turns) < LeastTurns && (live.Summary == "" || asked(live.Turns) == 0) {
		return false
	}
	last := live.Turns[len(live.Turns)-1]
	for _, e := range t.Entries {
		if e.Event != nil && e.Event.Name == EventCheckpoint && e.Event.Int("n") >= last.N {
			return false
		}
	}
	ends := last.Time.AddDate(0, 0, k.settings().Memory.WorkingMemoryTTLDays)
	return last.Time.After(since) && k.app.Now().Before(ends)
}
