package learn_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ken/internal/app"
	"ken/internal/engine"
	"ken/internal/learn"
	"ken/internal/learn/extract"
	"ken/internal/memory"
	"ken/internal/review"
)

// now is the clock of these tests.
var now = time.Date(2026, 6, 1, 10, 0, 0, 0, time.UTC)

// open opens the memory in dir, as another process would.
func open(t *testing.T, dir string) *app.View {
	t.Helper()
	h := app.Open(app.Options{
		Local:  []string{},
		Now:    func() time.Time { return now },
		Getenv: func(name string) string { return map[string]string{"KEN_HOME": dir, "HOME": dir}[name] },
	}).View(app.Standing{Actor: engine.Actor{Kind: engine.Person}, Dir: dir})
	if _, err := h.Settings.Read(); err != nil {
		t.Fatal(err)
	}
	return h
}

// lines are memories of three matters, and one of none.
var lines = []string{
	"A force push to main broke the build of the team.", "The force push to main lost two commits.",
	"Force push to main was refused, it broke the release.",
	"The CSV export broke because of the German locale.", "The CSV import broke because of the locale de_DE.",
	"Dates in a CSV broke because of the locale.",
	"Run the unit tests before pushing to develop.",
	"CI was red: run the unit tests before pushing.", "Run the unit tests and the linter before pushing.",
	"The dentist is on Oak Street.",
}

// answer is an honest one to them.
const answer = `[{"kind":"pattern","content":"Force push to main broke the build.","cites":["1","2","3"]},
{"kind":"pattern","content":"CSV broke because of the locale.","cites":["4","5","6"]},
{"kind":"convention","content":"Run the unit tests before pushing.","cites":["7","8","9"]}]`

func bed(t *testing.T, texts ...string) *app.View {
	t.Helper()
	dir := t.TempDir()
	var b strings.Builder
	for i, s := range texts {
		fmt.Fprintf(&b, `{"id":%d,"ts":"2026-05-%02dT10:00:00Z","kind":"fact","content":%q}`+"\n", i+1, i+1, s)
	}
	if err := os.WriteFile(filepath.Join(dir, "memory.jsonl"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return open(t, dir)
}

// says is a model that answers, when during has run.
type says struct {
	answer string
	during func()
	shown  *string
}

func (m says) Answer(_ context.Context, _, material string) (string, error) {
	if m.shown != nil {
		*m.shown = material
	}
	if m.during != nil {
		m.during()
	}
	return m.answer, nil
}

// run is one run with a model, and what came of it.
func run(t *testing.T, h *app.View, m extract.Model) (learn.Drafted, []engine.Proposed) {
	t.Helper()
	l, err := learn.ReadGroups(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	f, err := l.Ask(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	out, err := l.Propose(t.Context(), h, &f)
	if err != nil {
		t.Fatal(err)
	}
	return f, out
}

// queue is what waits, by text, and what was refused.
func queue(t *testing.T, h *app.View) (pending []string, refused int) {
	t.Helper()
	e, err := h.Memory.Engine()
	if err != nil {
		t.Fatal(err)
	}
	list, no, _, err := e.Queue(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range list {
		pending = append(pending, w.Proposal.Record.Content)
	}
	return pending, len(no)
}

func writer(t *testing.T, h *app.View) *engine.Writer {
	t.Helper()
	w, err := h.Memory.Writer()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestForgottenMeanwhile: what was forgotten, edited or replaced while the model thought is
// cited by nothing; the rest is proposed.
func TestForgottenMeanwhile(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(*engine.Writer) error{
		"forgotten": func(w *engine.Writer) error { _, err := w.Forget(t.Context(), "", memory.Num(2)); return err },
		"edited": func(w *engine.Writer) error {
			text := "A force push to main lost nothing."
			_, err := w.Edit(t.Context(), memory.Num(2), engine.Edit{Content: &text})
			return err
		},
		"replaced": func(w *engine.Writer) error {
			_, err := w.Remember(t.Context(), engine.Draft{Content: "Main takes force pushes.", Supersedes: []memory.ID{memory.Num(2)}})
			return err
		},
	} {
		h := bed(t, lines...)
		f, out := run(t, h, says{answer: answer, during: func() {
			if err := do(writer(t, open(t, h.Settings.Paths().Data))); err != nil {
				t.Error(err)
			}
		}})
		if len(out) != 2 || len(f.Rejected) != 1 || !strings.Contains(f.Rejected[0].Why, "#2") {
			t.Errorf("%s: %+v, %+v", name, out, f.Rejected)
		}
	}
}

// TestTwoRuns: two runs at once propose what they found once.
func TestTwoRuns(t *testing.T) {
	t.Parallel()
	h := bed(t, lines...)
	var both, done sync.WaitGroup
	both.Add(2)
	for range 2 {
		done.Go(func() {
			l, err := learn.ReadGroups(t.Context(), open(t, h.Settings.Paths().Data))
			if err != nil {
				t.Error(err)
			}
			f, err := l.Ask(t.Context(), says{answer: answer, during: func() { both.Done(); both.Wait() }})
			if err == nil {
				_, err = l.Propose(t.Context(), open(t, h.Settings.Paths().Data), &f)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	if pending, _ := queue(t, h); len(pending) != 3 {
		t.Errorf("%q wait", pending)
	}
}

// TestCutAnywhere: wherever a run was stopped, the memory is what it was, what is whole in the
// queue waits, and the next run proposes the rest.
func TestCutAnywhere(t *testing.T) {
	t.Parallel()
	h := bed(t, lines...)
	dir := h.Settings.Paths().Data
	if _, out := run(t, h, says{answer: answer}); len(out) != 3 {
		t.Fatal(out)
	}
	whole, err := os.ReadFile(filepath.Join(dir, "review.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	want, _ := queue(t, h)
	slices.Sort(want)
	for cut := 0; cut <= len(whole); cut += 41 {
		h := bed(t, lines...)
		if err := os.WriteFile(filepath.Join(h.Settings.Paths().Data, "review.jsonl"), whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		run(t, h, says{answer: answer})
		got, _ := queue(t, h)
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Fatalf("cut at %d: %q wait, want %q", cut, got, want)
		}
		s, err := h.Memory.State(t.Context())
		if err != nil || len(s.Items()) != len(lines) {
			t.Fatalf("%d memories, %v", len(s.Items()), err)
		}
	}
	// Stopped while the model thinks.
	h = bed(t, lines...)
	l, err := learn.ReadGroups(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Ask(t.Context(), stopped{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(h.Settings.Paths().Data, "review.jsonl")); !errors.Is(err, os.ErrNotExist) {
		t.Error("something was written:", err)
	}
}

type stopped struct{}

func (stopped) Answer(context.Context, string, string) (string, error) { return "", context.Canceled }

// TestRefusedStaysRefused: what a person refused is proposed no more, in no words, until
// something new speaks for it.
func TestRefusedStaysRefused(t *testing.T) {
	t.Parallel()
	h := bed(t, lines...)
	_, out := run(t, h, says{answer: answer})
	w := writer(t, h)
	for _, p := range out {
		if _, err := w.Decide(t.Context(), fmt.Sprintf("p%d", p.ID), engine.Answer{Verdict: review.No}); err != nil {
			t.Fatal(err)
		}
	}
	shown := "nobody asked"
	if f, _ := run(t, h, says{answer: answer, shown: &shown}); len(f.Patterns) > 0 || shown != "nobody asked" {
		t.Errorf("%+v of %q", f, shown)
	}
	if _, err := w.Remember(t.Context(), engine.Draft{Content: "A force push to main broke the docs."}); err != nil {
		t.Fatal(err)
	}
	list, err := h.Memory.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n := list.Items()[0].Ref()
	again := `[{"kind":"pattern","content":"Force push to main broke the release","cites":["1","2","3"]},
{"kind":"convention","content":"force push to main broke build","cites":["1","2","3","` + n + `"]}]`
	f, _ := run(t, h, says{answer: again, shown: &shown})
	if len(f.Patterns) > 0 || len(f.Rejected) != 2 || strings.Contains(shown, "CSV") {
		t.Errorf("%+v", f)
	}
	other := `[{"kind":"pattern","content":"The force push to main lost commits","cites":["1","2","` + n + `"]}]`
	if f, out := run(t, h, says{answer: other}); len(out) != 1 || !out[0].New {
		t.Errorf("what is new is not proposed: %+v", f)
	}
}

// TestR385Meanwhile: what was remembered while the model thought, and says otherwise, is asked as well,
// though nobody cites it.
func TestR385Meanwhile(t *testing.T) {
	t.Parallel()
	h := bed(t, lines...)
	const abstract = `[{"kind":"convention","content":"Unit tests always run before pushing.","cites":["7","8","9"]}]`
	f, out := run(t, h, says{answer: abstract, during: func() {
		w := writer(t, open(t, h.Settings.Paths().Data))
		if _, err := w.Remember(t.Context(), engine.Draft{Content: "Unit tests do not run before pushing."}); err != nil {
			t.Error(err)
		}
	}})
	if len(out) != 0 || len(f.Rejected) != 1 || !strings.Contains(f.Rejected[0].Why, "says otherwise") {
		t.Errorf("%+v %+v", f, out)
	}
	h = bed(t, lines...)
	if f, out := run(t, h, says{answer: abstract}); len(out) != 1 || !out[0].New || !slices.Equal(f.Patterns[0].Beyond, []string{"always"}) {
		t.Errorf("%+v %+v", f, out)
	}
}

// TestHierarchy: patterns come to a pattern of their own, deeper by one, and nothing goes in
// a circle.
func TestHierarchy(t *testing.T) {
	t.Parallel()
	h := bed(t, lines...)
	dir := h.Settings.Paths().Data
	path := filepath.Join(dir, "memory.jsonl")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b = append(b, []byte(""+
		`{"id":21,"ts":"2026-05-20T10:00:00Z","kind":"pattern","content":"The deploy of the shop fails on Fridays.","cites":[1,2,24]}
{"id":22,"ts":"2026-05-21T10:00:00Z","kind":"pattern","content":"The deploy of the wiki fails on Fridays.","cites":[3,4]}
{"id":23,"ts":"2026-05-22T10:00:00Z","kind":"pattern","content":"The deploy of the docs fails on Fridays.","cites":[5,21]}
{"id":24,"ts":"2026-05-22T10:00:00Z","kind":"goal","content":"Fewer late nights.","cites":[23]}
`)...)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	h = open(t, dir)
	l, err := learn.ReadGroups(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	last := l.Clusters[len(l.Clusters)-1]
	if strings.Join(last.Refs(), " ") != "21 22 23" || last.Depth < 3 || last.Depth > 4 {
		t.Fatalf("%v, depth %d", last.Refs(), last.Depth)
	}
	f, err := l.Ask(t.Context(), says{answer: `[{"kind":"pattern","content":"The deploy fails on Fridays.","cites":["21","22","23"]}]`})
	if err != nil || len(f.Patterns) != 1 || f.Patterns[0].Depth != last.Depth {
		t.Errorf("%+v, %v", f, err)
	}
}

// TestNotShown: what holds elsewhere, is a rule, a secret, is settled or waits is shown to no
// model.
func TestNotShown(t *testing.T) {
	t.Parallel()
	h := bed(t, lines...)
	dir := h.Settings.Paths().Data
	path := filepath.Join(dir, "memory.jsonl")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, more := range []string{
		`"kind":"rule"`, `"scope":"repo:a/b"`, `"phase":"rigid"`, `"origin":"model"`, `"origin":"agent:x"`, `"expires":"2026-05-30T10:00:00Z"`,
		`"kind":"goal"`, `"forced":true,"extra":"x"`,
	} {
		text := fmt.Sprintf("A force push to main broke thing%d.", i)
		if strings.Contains(more, "forced") {
			text += " password: hunter2-Xy9!kQ sk-proj-" + strings.Repeat("aB3dE5fG7h", 5)
		}
		b = fmt.Appendf(b, `{"id":%d,"ts":"2026-05-20T10:00:00Z","content":%q,%s}`+"\n", 50+i, text, more)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	var shown string
	run(t, open(t, dir), says{answer: "[]", shown: &shown})
	if strings.Contains(shown, "thing") || !strings.Contains(shown, "force push") || strings.Contains(shown, "dentist") {
		t.Error(shown)
	}
}
