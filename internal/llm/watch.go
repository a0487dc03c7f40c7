package llm

import (
	"context"
	"sync"
	"time"
)

// A stage of a call. Each has a limit of its own.
type stage int

const (
	connecting stage = iota
	waiting          // for the first token
	reading
	finishing // after the finish reason
	stages
)

type limit struct {
	d       time.Duration // 0: none
	setting string        // key of the preset that sets it
	what    string        // what lasted too long
}

// A watch cancels a call that exceeds the limit of its stage. While waiting and
// reading, every byte that arrives starts the time anew.
type watch struct {
	cancel context.CancelCauseFunc
	limits [stages]limit

	mu    sync.Mutex
	now   stage
	timer *time.Timer
}

func (w *watch) enter(s stage) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
	w.now = s
	if l := w.limits[s]; l.d > 0 {
		w.timer = time.AfterFunc(l.d, func() { w.cancel(&expired{l}) })
	}
}

func (w *watch) touch() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil && (w.now == waiting || w.now == reading) {
		w.timer.Reset(w.limits[w.now].d)
	}
}

func (w *watch) in() stage {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *watch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
}
