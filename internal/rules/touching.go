package rules

import (
	"slices"

	"ken/internal/memory"
)

// MayChange reports whether a line that is appended may change the set of a memory. It errs
// to yes: where it says no, folding the memory again is spared.
func MayChange(s *memory.State, r *memory.Record) bool {
	d := r.Details()
	// seats reports whether what a line says may take the place of something else.
	seats := func(r *memory.Record) bool {
		d := r.Details()
		return Binds(r.Kind) || r.Key != "" || len(d.Supersedes) > 0
	}
	switch r.Kind {
	case memory.KindPin, memory.KindUnpin, memory.KindTier, memory.KindPhase, memory.KindTouch:
		return false
	case memory.KindForget, memory.KindErased, memory.KindEdit:
		if r.Kind == memory.KindEdit && (r.Key != "" || len(d.Supersedes)+len(d.Clear) > 0 || r.Scope != "") {
			return true
		}
		return slices.ContainsFunc(append([]memory.ID{r.Target}, d.Targets...), func(id memory.ID) bool {
			it, status := s.Get(id)
			return status != memory.StatusUnknown && it.Record != nil && seats(it.Record)
		})
	case memory.KindUndo:
		if len(d.Targets) > 0 {
			return true
		}
		ch, ok := s.Line(r.Target)
		if !ok {
			return true
		}
		if ch.Record.States() {
			it, _ := s.Get(ch.ID)
			return seats(&ch.Record) || it.Record != nil && seats(it.Record)
		}
		return ch.Record.Kind == memory.KindUndo || MayChange(s, &ch.Record)
	}
	return seats(r)
}
