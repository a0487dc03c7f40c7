package upkeep

import (
	"fmt"
	"slices"

	"ken/internal/app"
	"ken/internal/conflict"
	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/view"
)

// textWidth is how many cells of a memory are shown.
const textWidth = 90

// Twice suggests to forget, of the memories of one kind and scope in s, those that newer
// ones say too. Lessons are merged: the newest takes the place of the others, and cites
// them, so that what taught it is not lost. Pinned memories and rules stay.
func Twice(h *app.View, s *memory.State) []engine.Suggestion {
	type kept struct {
		memory.Item
		engine.Reading
		sketch uint64
	}
	var newer []kept
	var list []engine.Suggestion
	var merges lessons
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
		if it.Record.Kind == memory.KindLesson && same.Origin.Rank() <= it.Origin.Rank() {
			merges.add(same.Item, it)
			continue
		}
		why := fmt.Sprintf("#%s says it too: %s", same.Ref(), view.Excerpt(h.Keys.MaskText(same.Record.Content), textWidth))
		list = append(list, engine.Suggestion{Why: why, Record: memory.Record{
			Kind: memory.KindForget, Target: it.ID, Detail: &memory.Detail{Reason: "said by #" + same.Ref()},
		}})
	}
	return append(list, merges.suggestions(h)...)
}

// lessons are those that say the same as a newer one, by that.
type lessons struct {
	into []memory.Item // the newer ones, each once
	old  map[memory.ID][]memory.Item
}

func (l *lessons) add(into, old memory.Item) {
	if l.old == nil {
		l.old = make(map[memory.ID][]memory.Item)
	}
	if l.old[into.ID] == nil {
		l.into = append(l.into, into)
	}
	l.old[into.ID] = append(l.old[into.ID], old)
}

// suggestions are the changes that merge them, one for each newer lesson.
func (l *lessons) suggestions(h *app.View) []engine.Suggestion {
	var list []engine.Suggestion
	for _, it := range l.into {
		was := it.Record.Details()
		d := &memory.Detail{Supersedes: slices.Clone(was.Supersedes), Cites: slices.Clone(was.Cites)}
		refs := ""
		for _, old := range l.old[it.ID] {
			d.Supersedes, d.Cites = append(d.Supersedes, old.ID), append(d.Cites, old.ID)
			refs += " #" + old.Ref()
		}
		why := fmt.Sprintf("one lesson in the place of%s: %s", refs, view.Excerpt(h.Keys.MaskText(it.Record.Content), textWidth))
		list = append(list, engine.Suggestion{Why: why, Record: memory.Record{Kind: memory.KindEdit, Target: it.ID, Detail: d}})
	}
	return list
}

func against(x, y string) bool {
	v, _ := conflict.ComparePatterns(conflict.Patterns(x), conflict.Patterns(y))
	return v == conflict.Contradicts
}
