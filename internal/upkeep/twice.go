package upkeep

import (
	"fmt"

	"ken/internal/conflict"
	"ken/internal/engine"
	"ken/internal/home"
	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/view"
)

// textWidth is how many cells of a memory are shown.
const textWidth = 90

// Twice suggests to forget, of the memories of one kind and scope in s, those that newer
// ones say too. Pinned memories and rules stay.
func Twice(h *home.Home, s *memory.State) []engine.Suggestion {
	type kept struct {
		memory.Item
		engine.Reading
		sketch uint64
	}
	var newer []kept
	var list []engine.Suggestion
	now := h.Now()
	for _, it := range asof.Items(s, now) { // newest first
		if it.ID.Log != "" {
			continue
		}
		x := kept{Item: it, Reading: engine.ReadText(it.Record.Content)}
		x.sketch = x.Sketch()
		near := engine.NewSketchFilter(x.sketch)
		var same *kept
		for i := range newer {
			n := &newer[i]
			if n.Record.Kind == it.Record.Kind && engine.SameScope(n.Record.Scope, it.Record.Scope) && near.Passes(n.sketch) &&
				(n.Same(x.Reading) || n.IsNear(x.Reading)) && !against(n.Record.Content, it.Record.Content) {
				same = n
				break
			}
		}
		if same == nil || it.Pinned || it.Record.Kind == memory.KindRule {
			newer = append(newer, x)
			continue
		}
		why := fmt.Sprintf("#%s says it too: %s", same.Ref(), view.Excerpt(h.Keys.MaskText(same.Record.Content), textWidth))
		list = append(list, engine.Suggestion{Why: why, Record: memory.Record{
			Kind: memory.KindForget, Target: it.ID, Detail: &memory.Detail{Reason: "said by #" + same.Ref()},
		}})
	}
	return list
}

func against(x, y string) bool {
	v, _ := conflict.ComparePatterns(conflict.Patterns(x), conflict.Patterns(y))
	return v == conflict.Contradicts
}
