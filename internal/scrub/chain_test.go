package scrub_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/jsonl/jsonltest"
	"ken/internal/memory"
	"ken/internal/scrub"
)

// TestR377EraseRevivesNothing: whatever replaced what, erasing a memory makes none active that
// was not, here or in a replica; what it replaced is erased with it.
func TestR377EraseRevivesNothing(t *testing.T) {
	t.Parallel()
	base := jsonltest.Dir(t)
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		h := &house{t: t, dir: filepath.Join(base, fmt.Sprint(n)), fs: noSync{}}
		defer func() { _ = os.RemoveAll(h.dir) }()
		said := rapid.SampledFrom([]string{"the red kettle boils", "the blue kettle boils", "the tea is green here", "the host is called teapot"})
		name := rapid.Custom(func(t *rapid.T) string {
			ref := fmt.Sprint(rapid.IntRange(1, 7).Draw(t, "n"))
			if rapid.IntRange(0, 3).Draw(t, "phone") == 0 {
				return `"phone-7f3a/` + ref + `"`
			}
			return ref
		})
		line := func(id int) string {
			more := rapid.SampledFrom([]string{"", "", `,"key":"k"`, `,"supersedes":`, `,"supersedes":`}).Draw(t, "more")
			if strings.HasSuffix(more, ":") {
				more += name.Draw(t, "replaces")
			}
			switch rapid.IntRange(0, 7).Draw(t, "kind") {
			case 0:
				return fmt.Sprintf(`{"id":%d,"kind":"forget","target":%s}`, id, name.Draw(t, "target"))
			case 1:
				return fmt.Sprintf(`{"id":%d,"kind":"edit","target":%s,"content":%q}`, id, name.Draw(t, "target"), said.Draw(t, "text"))
			}
			return fmt.Sprintf(`{"id":%d,"kind":"fact","content":%q%s}`, id, said.Draw(t, "text"), more)
		}
		own, other := []string{meta}, []string{phone}
		for i := range 7 {
			own, other = append(own, line(i+1)), append(other, strings.ReplaceAll(line(i+1), `"phone-7f3a/`, `"desk-19c4/`))
		}
		h.write("device.json", `{"log":"desk-19c4"}`)
		h.write("memory.jsonl", own...)
		h.write("peers/phone-7f3a.jsonl", other...)
		_, eng := h.open()
		before, err := eng.State(h.context())
		if err != nil {
			t.Fatal(err)
		}
		all := before.With(memory.StatusActive, memory.StatusSuperseded, memory.StatusForgotten)
		if len(all) == 0 {
			t.Skip("nothing to erase")
		}
		gone := rapid.SampledFrom(all).Draw(t, "item")
		if _, _, err := h.run(scrub.Want{IDs: []memory.ID{gone.ID}}); err != nil {
			t.Fatal(err)
		}
		_, eng = h.open()
		after, err := eng.State(h.context())
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range after.Items() {
			if st := before.Status(it.ID); st != memory.StatusActive {
				lines := strings.Join(append(own, other...), "\n")
				t.Fatalf("%s is active after %s was erased, and was %s\n%s", it.Ref(), gone.Ref(), st, lines)
			}
		}
		for _, it := range append(before.Replaced(gone.ID), gone) {
			if st := after.Status(it.ID); st != memory.StatusErased {
				t.Fatalf("%s, which %s replaced, is %s", it.Ref(), gone.Ref(), st)
			}
		}
	})
}
