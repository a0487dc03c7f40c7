package app

import (
	"context"
	"sync"
)

// work is what runs beside what the person does.
type work struct {
	mu   sync.Mutex
	stop context.CancelFunc // nil: nothing runs
	done sync.WaitGroup
}

// Behind runs do beside what the person does, unless something runs there
// already. do must use nothing of the App, and tell nothing. Rest ends it.
func (a *App) Behind(do func(ctx context.Context)) {
	w := &a.behind
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

// Rest ends what runs behind, and waits until it has.
func (a *App) Rest() {
	a.behind.mu.Lock()
	if a.behind.stop != nil {
		a.behind.stop()
	}
	a.behind.mu.Unlock()
	a.behind.done.Wait()
}
