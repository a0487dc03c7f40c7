//go:build unix

package loop_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ken/internal/agent/loop"
	"ken/internal/config"
	"ken/internal/llm"
	"ken/internal/session"
	"ken/internal/tool"
	"ken/internal/undo"
)

// TestTidies: with the first change of a question goes what is kept for undo too long, or is too much, and not what
// this question needs.
func TestTidies(t *testing.T) {
	t.Parallel()
	b := open(t, "", map[string]string{"a.txt": "one\n"})
	b.answer = yes
	room := config.UndoIn(b.home.Settings.Paths())
	kept := func(name string, size int64, age time.Duration) {
		path := filepath.Join(room, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, b.home.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	names := func() string {
		entries, err := os.ReadDir(room)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, e := range entries {
			list = append(list, e.Name()[:min(8, len(e.Name()))])
		}
		return strings.Join(list, " ")
	}
	if err := os.MkdirAll(room, 0o700); err != nil {
		t.Fatal(err)
	}
	kept("Old", 1, undo.Kept+time.Hour)
	kept("Great", undo.MostBytes-1, 2*time.Hour)
	kept("Small", 2, time.Hour)
	b.call(t, "write_file", `{"path":"a.txt","content":"two\n"}`)
	const one, two = "2c8b08da", "27dd8ed4" // what they hold
	if got := names(); got != two+" "+one+" Small" {
		t.Errorf("kept are %s", got)
	}
	kept("Old", 1, undo.Kept+time.Hour)
	b.call(t, "write_file", `{"path":"a.txt","content":"one\n"}`)
	if got := names(); !strings.Contains(got, "Old") {
		t.Errorf("looked at again in one question: %s", got)
	}
	b.begin()
	b.call(t, "write_file", `{"path":"a.txt","content":"two\n"}`)
	if got := names(); strings.Contains(got, "Old") {
		t.Errorf("kept are %s", got)
	}
}

// TestTwoAtOnce: of two that change one file at one time one does, and the other is refused since the file changed: what
// the first one wrote is not lost.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	first := open(t, "", map[string]string{"a.txt": "end\n"})
	benches := []*bench{first, in(t, filepath.Dir(first.project))}
	for round := range 30 {
		var here sync.WaitGroup // both have shown what they would change, and neither has changed it
		here.Add(len(benches))
		var states [2]tool.State
		var wg sync.WaitGroup
		for who, b := range benches {
			b.answer = yes
			b.Begin(loop.Asked{Model: "test", Journal: noted(func(e session.Event) error {
				if e.Text("before") != "" {
					here.Done()
					here.Wait()
				}
				return nil
			})})
			wg.Go(func() {
				replies, _ := b.Answer(t.Context(), []llm.ToolCall{{
					ID: "1", Name: "edit_file", Arguments: fmt.Sprintf(`{"path":"a.txt","old":"end\n","new":"line %d of %d\nend\n"}`, round, who),
				}}, loop.Watch{})
				states[who] = replies[0].State
			})
		}
		wg.Wait()
		text := first.read(t, "a.txt")
		for who, state := range states {
			if there := strings.Contains(text, fmt.Sprintf("line %d of %d\n", round, who)); there != (state == tool.Done) {
				t.Errorf("round %d: %v, and what was written is there: %v", round, state, there)
			}
		}
		if states[0] == states[1] {
			t.Errorf("round %d: both are %v", round, states[0])
		}
	}
}

// TestLongLines: of a line of a megabyte the person is shown what changes, and the model is told that it did.
//
//ken:unraced
func TestLongLines(t *testing.T) {
	t.Parallel()
	b := open(t, "", map[string]string{"a.json": `{"k":"` + strings.Repeat("x", 1_000_000) + `","end":1}`})
	b.answer = yes
	r := b.call(t, "edit_file", `{"path":"a.json","old":"\"end\":1","new":"\"end\":2"}`)
	if r.State != tool.Done || !strings.HasSuffix(b.read(t, "a.json"), `"end":2}`) {
		t.Errorf("%+v", r)
	}
	if shown := b.shown[0]; len(shown) > 1000 || !strings.Contains(shown, `xxx","end":1}`) || !strings.Contains(shown, `xxx","end":2}`) {
		t.Errorf("%d bytes were shown: %.1000s", len(shown), shown)
	}
}
