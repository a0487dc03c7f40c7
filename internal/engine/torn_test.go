package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ken/internal/jsonl/jsonltest"
	"ken/internal/memory"
	"ken/internal/memory/filelog"
	"ken/internal/rules"
)

// TestTornReturn: a return to a version of the rules that breaks off, at whatever call to the disk
// and after whatever byte, leaves the rules as they were or as they are to be, and nothing in
// between: also once others have written behind it. A power failure does so as well where the
// return is one line.
func TestTornReturn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		to   int
		then func(context.Context, *Writer) error // after the rules 1 and 2, and the fact 3
	}{
		"one line": {1, func(context.Context, *Writer) error { return nil }},
		"lines": {3, func(ctx context.Context, w *Writer) error {
			_, err := w.ForgetBulk(ctx, Bulk{IDs: []memory.ID{memory.Num(1), memory.Num(2), memory.Num(3)}})
			if err == nil {
				_, err = w.Remember(ctx, Draft{Kind: memory.KindRule, Content: "ask before npm publish"})
			}
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tornReturn(t, c.to, c.then)
		})
	}
}

func tornReturn(t *testing.T, to int, then func(context.Context, *Writer) error) {
	means := func(context.Context, *RelaxError) (bool, bool) { return true, true }
	base := jsonltest.Dir(t)
	opened := func(dir string, o filelog.Options) *Writer {
		o.Head = ""
		e := New(Options{Own: filelog.Open(filepath.Join(dir, "memory.jsonl"), o), Now: noon, Relax: means})
		return e.As(typed)
	}
	w := opened(base, house{t}.options(base))
	for _, d := range []Draft{
		{Kind: memory.KindRule, Content: "ask before git push"},
		{Kind: memory.KindRule, Content: "never run rm -rf"},
		{Content: "tea is green"},
	} {
		if _, err := w.Remember(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	if err := then(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	setOf := func(dir string) rules.Set {
		s, err := opened(dir, house{t}.options(dir)).State(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return rules.Of(s)
	}
	old, before := setOf(base), house{t}.read(base)
	s, err := w.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	next := rules.Versions(s)[to-1].Set
	// sound reports what is wrong with a memory that a return was broken off in.
	sound := func(dir string, done bool) error {
		for _, more := range []string{"", "{\"kind\":\"fact\",\"content\":\"coffee is black\"}\n"} {
			text := house{t}.read(dir)
			if more != "" && !strings.HasSuffix(text, "\n") {
				more = "\n" + more
			}
			house{t}.write(dir, text+more)
			set := setOf(dir)
			if is := set.Same(next); !is && (done || !set.Same(old)) {
				return fmt.Errorf("done %v: %d rules, of %d that were and %d that are to be:\n%s", done, len(set), len(old), len(next), text)
			}
		}
		return nil
	}
	// At each call, with each length of what a write still does.
	dir := jsonltest.Dir(t)
	disk, err := jsonltest.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	o := house{t}.options(dir)
	o.FS = disk
	try := func(f jsonltest.Fault, at int) (done bool, calls int) {
		house{t}.write(dir, before)
		if err := os.MkdirAll(filepath.Join(dir, "state"), 0o700); err != nil {
			t.Fatal(err)
		}
		device, err := os.ReadFile(filepath.Join(base, "state", "device.json"))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "state", "device.json"), device, 0o600)
		}
		if err == nil {
			disk.Calm()
			err = disk.Settle()
		}
		if err != nil {
			t.Fatal(err)
		}
		w, began := opened(dir, o), len(disk.Trace())
		if at > 0 {
			disk.FailAt(at, f)
		}
		_, err = w.ReturnTo(t.Context(), to, old)
		calls = len(disk.Trace()) - began
		disk.Calm()
		return err == nil, calls
	}
	done, calls := try(jsonltest.Fault{}, 0)
	after := house{t}.read(dir)
	if !done || calls < 4 || !setOf(dir).Same(next) {
		t.Fatalf("it is not done, by %d calls: %v", calls, done)
	}
	lines := strings.Count(after, "\n") - strings.Count(before, "\n")
	t.Logf("%d lines, %d calls", lines, calls)
	cases := 0
	wrote := len(after) - len(before)
	for at := 1; at <= calls; at++ {
		for _, n := range []int{0, 1, wrote / 3, wrote / 2, wrote - 1, wrote} {
			for _, why := range []error{nil, syscall.ENOSPC} { // nil: killed there
				done, _ := try(jsonltest.Fault{Err: why, Done: n}, at)
				if cases++; cases%2 == 0 && lines == 1 {
					lost := jsonltest.Dir(t)
					if err := disk.PowerLoss(lost, rand.New(rand.NewPCG(uint64(cases), 1)).IntN); err != nil {
						t.Fatal(err)
					}
					if err := sound(lost, done); err != nil {
						t.Fatalf("power lost after call %d, %d bytes, %v: %v", at, n, why, err)
					}
				}
				if err := sound(dir, done); err != nil {
					t.Fatalf("call %d, %d bytes, %v: %v", at, n, why, err)
				}
			}
		}
	}
	// Killed in the middle of the write: behind each line, and after each third byte.
	for n := range wrote {
		if n%3 > 0 && after[len(before)+n-1] != '\n' {
			continue
		}
		house{t}.write(dir, after[:len(before)+n])
		if err := sound(dir, false); err != nil {
			t.Fatalf("%d of %d bytes: %v", n, wrote, err)
		}
	}
	t.Logf("%d faults, %d bytes", cases, wrote)
}
