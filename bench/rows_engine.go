//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"ken/bench/crowd"
	"ken/bench/floors"
	"ken/bench/made"
	"ken/bench/paired"
	"ken/internal/engine"
)

// addWarm measures adding in a process that goes on, as a server does it: the
// engine of the tree that the bench was built from, whatever -ken and -vs say.
func addWarm(ctx context.Context, b *bench, rep *paired.Report) error {
	if b.o.vs != "" {
		rep.Note("the engine is linked into the bench: -ken and -vs do not change this row")
	}
	random := rand.New(rand.NewPCG(4, 4))
	floor, err := newAppender(filepath.Join(b.dir, "warm-floor"))
	if err != nil {
		return err
	}
	defer floor.close()
	trials := []paired.Trial{timed(floors.Add, func(context.Context) error { return floor.add(made.Sentence(random)) })}
	counts := b.size.memories[1:]
	if b.o.big {
		counts = append(counts[:len(counts):len(counts)], 1_000_000)
	}
	for _, n := range counts {
		e, err := b.engineWith(ctx, n)
		if err != nil {
			return err
		}
		trials = append(trials, timed("ken "+paired.Label(n), func(ctx context.Context) error {
			_, err := e.Remember(ctx, engine.Draft{Content: made.Sentence(random)})
			return err
		}))
	}
	settle()
	r := paired.Readings{}
	if err := r.Take(ctx, b.size.adds, trials); err != nil {
		return err
	}
	for i, n := range counts {
		w := paired.Want{
			What: "add one in process, synced, to " + paired.Label(n) + " memories, p50", Unit: "ms",
			Trial: "ken " + paired.Label(n), Of: addMS, Goal: goalWarmMS, Names: []string{floors.Add},
		}
		if i > 0 {
			w.Over = []paired.OverGoal{{Name: "ken " + paired.Label(counts[0]), Times: goalWarmFlatTimes}}
		}
		rep.Add(r, w)
		w.What, w.At, w.Goal, w.Over = "add one in process, synced, to "+paired.Label(n)+" memories, p99", paired.P99, goalWarmP99MS, nil
		rep.Add(r, w)
	}
	return nil
}

// timed is a trial that does something once.
func timed(name string, do func(ctx context.Context) error) paired.Trial {
	return paired.Trial{Name: name, Run: func(ctx context.Context) (paired.Reading, error) {
		began := time.Now()
		err := do(ctx)
		return paired.Single(map[paired.Quantity]float64{addMS: ms(time.Since(began))}), err
	}}
}

// engineWith is an engine over a log with n memories, put together as the
// commands of ken do it.
func (b *bench) engineWith(ctx context.Context, n int) (*engine.Writer, error) {
	h, err := b.newHome("engine-" + paired.Label(n))
	if err != nil {
		return nil, err
	}
	e, log, err := crowd.Engine(h.dir, time.Now)
	if err != nil {
		return nil, err
	}
	if _, err := e.Remember(ctx, engine.Draft{Content: "the first of many"}); err != nil {
		return nil, err
	}
	return e, made.Memories(log, n-1)
}

// An appender is the floor of adding: lock, append, sync, unlock.
type appender struct{ lock, lines *os.File }

func newAppender(dir string) (*appender, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	lines, err := os.OpenFile(filepath.Join(dir, "lines"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return &appender{lock, lines}, nil
}

func (a *appender) add(text string) error {
	if err := syscall.Flock(int(a.lock.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.lines, "{\"id\":1,\"ts\":\"2026-01-01T00:00:00Z\",\"kind\":\"fact\",\"content\":%q}\n", text)
	return errors.Join(err, a.lines.Sync(), syscall.Flock(int(a.lock.Fd()), syscall.LOCK_UN))
}

func (a *appender) close() {
	_ = a.lines.Close()
	_ = a.lock.Close()
}
