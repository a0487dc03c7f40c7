package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/memory/filelog"
	"ken/internal/review"
)

// TestOnlyRead: where a memory is only read nobody writes to it, whoever they are, and nobody suggests; each is told so with what
// to do, and no file is made or changed.
func TestOnlyRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "memory.jsonl")
	if err := os.WriteFile(path, []byte(`{"id":1,"kind":"fact","content":"tea is green"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e := engine.New(engine.Options{
		Own: filelog.Open(path, filelog.Options{ReadOnly: true}), Now: time.Now, ReadOnly: true,
		Queue: &review.Log{Path: filepath.Join(dir, "review.jsonl"), Dir: dir, Now: time.Now},
		Wrote: func(bool) { t.Error("something was written") },
	})
	one := memory.ID{N: 1}
	text := "tea is black"
	for name, act := range map[string]func(context.Context, *engine.Writer) error{
		"remember": func(ctx context.Context, w *engine.Writer) error {
			_, err := w.Remember(ctx, engine.Draft{Content: text})
			return err
		},
		"edit": func(ctx context.Context, w *engine.Writer) error {
			_, err := w.Edit(ctx, one, engine.Edit{Content: &text})
			return err
		},
		"forget": func(ctx context.Context, w *engine.Writer) error { _, err := w.Forget(ctx, "", one); return err },
		"pin":    func(ctx context.Context, w *engine.Writer) error { _, err := w.Pin(ctx, true, one); return err },
		"bulk": func(ctx context.Context, w *engine.Writer) error {
			_, err := w.ForgetBulk(ctx, engine.Bulk{})
			return err
		},
		"undo": func(ctx context.Context, w *engine.Writer) error { _, _, err := w.Undo(ctx); return err },
		"propose": func(ctx context.Context, w *engine.Writer) error {
			_, err := w.Propose(ctx, engine.Suggestion{Record: memory.Record{Kind: memory.KindFact, Content: text}})
			return err
		},
		"accept": func(ctx context.Context, w *engine.Writer) error {
			_, err := w.AcceptByPolicy(ctx, engine.Suggestion{Record: memory.Record{Kind: memory.KindFact, Content: text}})
			return err
		},
		"plan": func(ctx context.Context, w *engine.Writer) error {
			_, err := w.ApplyPlan(ctx, func(*memory.State) []memory.Record { return []memory.Record{{Kind: memory.KindForget, Target: one}} })
			return err
		},
		"decide": func(ctx context.Context, w *engine.Writer) error {
			_, err := w.Decide(ctx, "p1", engine.Answer{Verdict: review.Yes})
			return err
		},
		"reopen": func(ctx context.Context, w *engine.Writer) error { _, err := w.Reopen(ctx, "p1"); return err },
	} {
		for _, kind := range []engine.ActorKind{
			engine.Person, engine.Policy, engine.Model, engine.Agent, engine.Tool, engine.Import, engine.External, "",
		} {
			err := act(t.Context(), e.As(engine.Actor{Kind: kind, Name: "x"}))
			var hinted interface{ Hint() string }
			told := errors.As(engine.NotSaved(err), &hinted) && hinted.Hint() != ""
			if !errors.Is(err, engine.ErrOnlyRead) || fault.KindOf(err) != fault.Refused || !told {
				t.Errorf("%s by %q: %v", name, kind, err)
			}
		}
	}
	if s, err := e.State(t.Context()); err != nil || s.Len() != 1 {
		t.Errorf("what stands is not read: %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%v: %v", err, entries)
	}
}
