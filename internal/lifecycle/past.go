package lifecycle

import (
	"strings"
	"time"

	"ken/internal/memory"
)

// ByPolicy begins what the lines of a policy say of who let them in.
const ByPolicy = "policy:"

// A past is what the lines of the own log say of transitions.
type past struct {
	moved  map[memory.ID]time.Time // last put into another tier or phase
	put    map[memory.ID]time.Time // last archived by a policy, taken back or not
	undone map[memory.ID]time.Time // when a person took a transition or a forgetting back
	newest time.Time               // the newest line that is not of a policy
	swept  bool                    // a policy has written a line, taken back or not
}

// history reads the lines of the own log, once.
func history(s *memory.State) past {
	p := past{moved: make(map[memory.ID]time.Time), put: make(map[memory.ID]time.Time), undone: make(map[memory.ID]time.Time)}
	own := s.OwnLog()
	for _, l := range s.Logs() {
		if !l.Own {
			continue
		}
		for i := range l.Entries {
			r := l.Entries[i].Record
			if !strings.HasPrefix(r.By, ByPolicy) {
				p.newest = later(p.newest, r.Time)
			} else {
				p.swept = true
			}
			switch r.Kind {
			case memory.KindTier, memory.KindPhase:
				p.transition(s, r, own)
			case memory.KindUndo:
				for _, id := range append([]memory.ID{r.Target}, r.Details().Targets...) {
					if ch, ok := s.Line(id); ok && isTransition(ch.Record.Kind) {
						note(p.undone, &ch.Record, own, r.Time)
					}
				}
			}
		}
	}
	return p
}

func isTransition(k memory.Kind) bool {
	return k == memory.KindTier || k == memory.KindPhase || k == memory.KindForget
}

func (p *past) transition(s *memory.State, r *memory.Record, own string) {
	if r.Kind == memory.KindTier && r.Details().Tier == memory.TierArchive && strings.HasPrefix(r.By, ByPolicy) {
		note(p.put, r, own, r.Time)
	}
	if ch, ok := s.Line(r.ID.From(own)); !ok || !ch.Undone {
		note(p.moved, r, own, r.Time)
	}
}

// note sets the time for each item that a line names, unless there is a later one.
func note(at map[memory.ID]time.Time, r *memory.Record, own string, t time.Time) {
	if !r.Target.IsZero() {
		id := r.Target.From(own)
		at[id] = later(at[id], t)
	}
	for _, id := range r.Details().Targets {
		id = id.From(own)
		at[id] = later(at[id], t)
	}
}
