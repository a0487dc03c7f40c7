package app

import (
	"context"
	"sync"
)

// A Work is what runs beside what the person does, one thing at a time. The zero
// Work is ready. It is safe for concurrent use.
type Work struct {
	mu   sync.Mutex
	stop context.CancelFunc // nil: nothing runs
	done sync.WaitGroup
}

// Start runs do, unless something runs already. do must use nothing that is not
// safe for concurrent use, and print nothing. Rest ends it.
func (w *Work) Start(do func(ctx context.Context)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stop != nil {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	w.stop = stop
	w.done.Go(func() {
		do(ctx)
		w.mu.Lock()
		defer w.mu.Unlock()
		stop()
		w.stop = nil
	})
}

// Rest ends what runs, and waits until it has.
func (w *Work) Rest() {
	w.mu.Lock()
	if w.stop != nil {
		w.stop()
	}
	w.mu.Unlock()
	w.done.Wait()
}
