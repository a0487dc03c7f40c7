package live_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/index/live"
	"ken/internal/memory"
	"ken/internal/text"
)

// TestReplacedIn: a text is so no more if an item that is in force, or that another one
// replaced, said it once, and nothing in force says it or has it in what it says.
func TestReplacedIn(t *testing.T) {
	t.Parallel()
	// Some stand within others, and two are one but for their spelling.
	texts := []string{
		"the port is 4712", "The  port is 4712", "the port is 4712 on weekdays", "the port is 4713", "tea", "I drink tea at noon",
	}
	rapid.Check(t, func(t *rapid.T) {
		type stated struct {
			was        []string // the last is what it says
			gone, over bool     // forgotten; replaced
		}
		var items []*stated // by id, from 1; nil: a line that states nothing
		var lines []memory.Entry
		add := func(it *stated, format string, args ...any) {
			items = append(items, it)
			line := fmt.Sprintf(`{"id":%d,`+format+`}`, append([]any{len(items)}, args...)...)
			lines = append(lines, memory.ParseLine([]byte(line)))
		}
		edits := make(map[int]int) // by id of an edit: the item
		for range rapid.IntRange(1, 12).Draw(t, "lines") {
			said := rapid.SampledFrom(texts).Draw(t, "text")
			to := rapid.IntRange(1, len(items)+1).Draw(t, "item")
			stands := to <= len(items) && items[to-1] != nil
			switch kind := rapid.SampledFrom([]string{"fact", "edit", "forget", "replace", "undo"}).Draw(t, "kind"); {
			case kind == "edit" && stands:
				items[to-1].was = append(items[to-1].was, said)
				edits[len(items)+1] = to
				add(nil, `"kind":"edit","target":%d,"content":%q`, to, said)
			case kind == "forget" && stands:
				items[to-1].gone = true
				add(nil, `"kind":"forget","target":%d`, to)
			case kind == "replace" && stands && !items[to-1].over && !items[to-1].gone:
				items[to-1].over = true
				add(&stated{was: []string{said}}, `"content":%q,"supersedes":%d`, said, to)
			case kind == "undo" && edits[len(items)] != 0: // the line before, as if it had never been written
				it := items[edits[len(items)]-1]
				it.was = it.was[:len(it.was)-1]
				add(nil, `"kind":"undo","target":%d`, len(items))
			default:
				add(&stated{was: []string{said}}, `"content":%q`, said)
			}
		}
		for i, it := range slices.Backward(items) { // what was replaced goes along
			if it != nil && it.gone {
				if d := lines[i].Record.Details(); len(d.Supersedes) > 0 {
					items[d.Supersedes[0].N-1].gone = true
				}
			}
		}
		var old, now []string
		for _, it := range items {
			if it == nil || it.gone {
				continue
			}
			last := len(it.was) - 1
			old = append(old, it.was[:last]...)
			if it.over {
				old = append(old, it.was[last])
			} else {
				now = append(now, text.Normal(it.was[last]))
			}
		}
		s := memory.Fold(memory.Lines{Log: "a-1", Own: true, Entries: lines})
		got := live.ReplacedIn(s)
		for _, said := range texts {
			n := text.Normal(said)
			want := slices.ContainsFunc(old, func(o string) bool {
				o = text.Normal(o)
				within := slices.ContainsFunc(now, func(has string) bool { return strings.Contains(has, o) })
				return len(o) >= 16 && !within && strings.Contains(n, o)
			})
			if got := got.Len() > 0 && got.In("- "+said); got != want {
				t.Fatalf("%q: %v, want %v\nold %q\nnow %q", said, got, want, old, now)
			}
		}
	})
}
