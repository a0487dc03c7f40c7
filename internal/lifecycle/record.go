package lifecycle

import (
	"slices"

	"ken/internal/memory"
)

// MaxTargets is how many items one line names at most, so that lines stay short
// enough to be read.
const MaxTargets = 500

// Records returns the lines that an action would append, without ids and times. by is
// who lets them in: ByPolicy and a name, or "user".
func (a Action) Records(by string) []memory.Record {
	rec := memory.Record{Kind: memory.KindTier, By: by}
	d := memory.Detail{Reason: a.Why}
	switch a.Do {
	case Archive:
		d.Tier = memory.TierArchive
	case Forget:
		rec.Kind = memory.KindForget
	case Settle:
		rec.Kind, d.Phase = memory.KindPhase, a.To
	default:
		return nil
	}
	ids := make([]memory.ID, len(a.Items))
	for i, it := range a.Items {
		ids[i] = it.ID
	}
	var list []memory.Record
	for part := range slices.Chunk(ids, MaxTargets) {
		line, detail := rec, d
		if len(part) == 1 {
			line.Target = part[0]
		} else {
			detail.Targets = part
		}
		line.Detail = &detail
		list = append(list, line)
	}
	return list
}

// Refs returns the references of the items of an action.
func (a Action) Refs() []string {
	refs := make([]string, len(a.Items))
	for i, it := range a.Items {
		refs[i] = it.Ref()
	}
	return refs
}
