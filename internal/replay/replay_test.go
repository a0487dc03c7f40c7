package replay_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ken/internal/app"
	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/replay"
	"ken/internal/trace"
)

// A desk is where a person sits: a memory in a directory and a clock.
type desk struct {
	dir string
	now time.Time
}

// write puts a memory of these lines there.
func (d *desk) write(t *rapid.T, lines ...string) {
	if err := os.WriteFile(filepath.Join(d.dir, "memory.jsonl"), []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// open is the memory as a new run of the program has it.
func (d *desk) open(t *rapid.T) *app.View {
	h := app.Open(app.Options{
		Local:  []string{},
		Index:  app.IndexNever,
		Now:    func() time.Time { return d.now },
		Getenv: func(name string) string { return map[string]string{"KEN_HOME": d.dir, "HOME": d.dir}[name] },
	}).View(app.Standing{Dir: d.dir, Actor: engine.Actor{Kind: engine.Person}})
	if _, err := h.Settings.Read(); err != nil {
		t.Fatal(err)
	}
	return h
}

// ask is what a question is given, as a turn has it, and notes its uses.
func (d *desk) ask(t *rapid.T, h *app.View, question string, before ...string) trace.Trace {
	m := h.Moment()
	block, err := m.Background(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found, err := app.Activate(t.Context(), m, app.ActivationQuery{Text: question, Before: before}, block)
	if err != nil {
		t.Fatal(err)
	}
	tr := trace.Of(block, found)
	h.Uses.Used(t.Context(), tr.Used()...)
	return tr
}

// state is the memory as it is now.
func (d *desk) state(t *rapid.T, h *app.View) *memory.State {
	s, err := h.Memory.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestR374Without: the choice of an answer, made again long afterwards, is what the answer
// was given; and made without one memory it is what the answer is given where that memory was
// forgotten in earnest before.
func TestR374Without(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		d := &desk{dir, time.Date(2026, 5, 10, 12, 0, 0, 7e8, time.UTC)}
		for _, name := range []string{"usage.jsonl", "memory.jsonl"} {
			_ = os.Remove(filepath.Join(dir, name))
		}
		word := rapid.SampledFrom([]string{"kettle", "staging", "deploy", "tea", "editor", "vim", "short", "answers", "friday", "port"})
		words := func(least, most int) string {
			return strings.Join(rapid.SliceOfN(word, least, most).Draw(t, "words"), " ")
		}
		var lines []string
		n := rapid.IntRange(1, 24).Draw(t, "memories")
		for i := range n {
			more := rapid.SampledFrom([]string{
				"", "", "", `,"key":"k"`, `,"kind":"pref"`, `,"kind":"rule"`, `,"pinned":true`, `,"scope":"repo:elsewhere"`, `,"tags":["tea"]`,
				`,"expires":"2026-05-10T12:00:01Z"`, fmt.Sprintf(`,"supersedes":%d`, i),
			}).Draw(t, "more")
			lines = append(lines, fmt.Sprintf(`{"id":%d,"ts":"2026-%02d-01T00:00:00Z","content":%q%s}`, i+1, 1+i%5, words(1, 6), more))
		}
		d.write(t, lines...)
		// Uses from before this run, and a question of this run that is not known to it.
		d.ask(t, d.open(t), words(1, 4))
		pause := rapid.IntRange(0, 9000).Draw(t, "pause")
		d.now = d.now.Add(time.Duration(pause) * time.Second)
		h := d.open(t)
		known, _ := os.ReadFile(filepath.Join(dir, "usage.jsonl"))
		before := words(1, 4)
		d.ask(t, h, before)
		d.now = d.now.Add(time.Duration(rapid.IntRange(1, 90).Draw(t, "later")) * time.Second)
		question := rapid.SampledFrom([]string{"", "and "}).Draw(t, "follows") + words(1, 5)
		was := d.ask(t, h, question, before)
		asked := d.now

		// Long afterwards, with later lines.
		d.now = d.now.AddDate(0, 0, 40)
		later := append(lines[:n:n], fmt.Sprintf(`{"id":%d,"ts":"2026-06-01T00:00:00Z","content":"kettle tea vim"}`, n+1),
			fmt.Sprintf(`{"id":%d,"ts":"2026-06-01T00:00:00Z","kind":"edit","target":1,"content":"deploy"}`, n+2))
		d.write(t, later...)
		id := int64(rapid.IntRange(1, n).Draw(t, "without"))
		again := d.open(t)
		past := replay.Past{Trace: was, Question: question, Before: []string{before}, Scope: again.Here.Place().Scope()}
		got, err := replay.Without(t.Context(), again, d.state(t, again), past, memory.Num(id))
		if err != nil || !got.Exact {
			full, _ := replay.Without(t.Context(), again, d.state(t, again), past, memory.Num(1<<40))
			t.Fatalf("%v, exact %v (-was +made again with all)\n%s", err, got.Exact, cmp.Diff(was.Chosen, full.Trace.Chosen))
		}

		if pause == 0 {
			return // two runs in one second: which uses the second one knew is a guess, see Instead
		}
		// In earnest: forgotten before, and asked at that time by a run that knew the same uses.
		d.now = asked
		d.write(t, append(lines[:n:n], fmt.Sprintf(`{"id":%d,"ts":"2026-05-10T00:00:00Z","kind":"forget","target":%d}`, n+1, id))...)
		if err := os.WriteFile(filepath.Join(dir, "usage.jsonl"), known, 0o600); err != nil {
			t.Fatal(err)
		}
		want := d.ask(t, d.open(t), question, before)
		if diff := cmp.Diff(want.Chosen, got.Trace.Chosen, cmpopts.EquateApprox(0, 1e-9), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("without %d (-in earnest +made again)\n%s", id, diff)
		}
	})
}
