package engine

import (
	"errors"
	"strings"
	"testing"

	"ken/internal/memory"
)

// TestCarry: lines of a plan are written by whoever they say, and only such lines, of
// what stands; a policy makes nothing more settled.
func TestCarry(t *testing.T) {
	t.Parallel()
	line := func(kind memory.Kind, by string, d memory.Detail, target int64) memory.Record {
		return memory.Record{Kind: kind, By: by, Detail: &d, Target: memory.Num(target)}
	}
	archive, fluid, rigid := memory.Detail{Tier: memory.TierArchive, Reason: "old \x1b[2Jxyzzy"}, memory.Detail{Phase: memory.PhaseFluid}, memory.Detail{Phase: memory.PhaseRigid}
	tests := []struct {
		name string
		rec  memory.Record
		want string // the end of the line, or of the error
		err  error
	}{
		{"archive", line(memory.KindTier, "policy:hygiene", archive, 1), `"kind":"tier","target":1,"by":"policy:hygiene","tier":"archive","reason":"old [masked:spell:0123]"}`, nil},
		{"forget", line(memory.KindForget, "policy:hygiene", memory.Detail{}, 1), `"kind":"forget","target":1,"by":"policy:hygiene"}`, nil},
		{"down", line(memory.KindPhase, "policy:work", fluid, 2), `"phase":"fluid"}`, nil},
		{"up by a person", line(memory.KindPhase, "user", rigid, 1), `"by":"user","phase":"rigid"}`, nil},
		{"up by a policy", line(memory.KindPhase, "policy:work", rigid, 1), "more settled", ErrNeedsReview},
		{"up by a policy, one of several", memory.Record{Kind: memory.KindPhase, By: "policy:work", Detail: &memory.Detail{Phase: memory.PhaseStabilized, Targets: []memory.ID{memory.Num(2), memory.Num(1)}}}, "more settled", ErrNeedsReview},
		{"by nobody", line(memory.KindPhase, "", fluid, 2), "more settled", ErrNeedsReview},
		{"nothing there", line(memory.KindTier, "policy:hygiene", archive, 9), "not active", ErrNotActive},
		{"a text", memory.Record{Kind: memory.KindFact, Content: "x", By: "policy:hygiene"}, "", nil},
		{"an edit", line(memory.KindEdit, "policy:hygiene", memory.Detail{}, 1), "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			k := newKit(t, `{"id":1,"content":"a"}`, `{"id":2,"content":"b","phase":"rigid"}`)
			before := k.log.Lines()
			r, err := k.ApplyPlan(t.Context(), func(*memory.State) []memory.Record { return []memory.Record{tt.rec} })
			after := k.log.Lines()
			var kind *KindError
			switch {
			case tt.want == "":
				if !errors.As(err, &kind) || len(after) != len(before) {
					t.Errorf("%v, %v", err, after)
				}
			case tt.err != nil:
				if !errors.Is(err, tt.err) || len(after) != len(before) {
					t.Errorf("%v, %v", err, after)
				}
			case err != nil || len(r.IDs) != 1 || !strings.HasSuffix(after[len(after)-1], tt.want):
				t.Errorf("%v: %v, %v", err, r, after)
			}
		})
	}
	k := newKit(t)
	if r, err := k.ApplyPlan(t.Context(), func(*memory.State) []memory.Record { return nil }); err != nil || len(r.IDs) != 0 || len(k.log.Lines()) != 0 {
		t.Errorf("no lines: %v, %v, %v", r, err, k.log.Lines())
	}
}
