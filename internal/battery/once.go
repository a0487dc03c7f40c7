package battery

import (
	"context"
	"fmt"
	"sync"

	"ken/internal/engine"
)

// AtOnce has several processes remember at the same time, and checks that what
// each of them saw acknowledged is there.
type AtOnce struct {
	Writers, Each int
	Bug           Bug
	Temp          func() string
}

// Do runs it.
func (a AtOnce) Do(ctx context.Context) (Report, error) {
	var r Report
	l := NewLedger()
	h := NewHome(a.Temp())
	h.Bug = a.Bug
	if err := Start(ctx, h.with(h.Dir, Unsynced{}), l); err != nil {
		return r, err
	}
	var wg sync.WaitGroup
	errs := make(chan error, a.Writers*a.Each+erasings)
	for p := range a.Writers {
		wg.Go(func() {
			e := h.Engine()
			for n := range a.Each {
				if err := stated(ctx, h, l, e, fmt.Sprintf("text %d of writer %d", n, p)); err != nil {
					errs <- err
				}
			}
		})
	}
	wg.Go(func() { // one rewrites the file meanwhile
		for n := range erasings {
			if err := a.erase(ctx, h, l, fmt.Sprintf("to be taken out, %d", n)); err != nil {
				errs <- err
			}
		}
	})
	wg.Wait()
	close(errs)
	for err := range errs {
		r.Add(err, "a writer")
	}
	r.Add(Check(ctx, h, l, false), "%d writers, %d texts each", a.Writers, a.Each)
	n := a.Writers*a.Each - 1
	r.Cases, r.Survived, r.Distinct = r.Cases+n, r.Survived+n, r.Distinct+n
	return r, nil
}

// erasings are how many texts are taken out while others write.
const erasings = 3

// erase remembers a text and erases it from the log.
func (a AtOnce) erase(ctx context.Context, h *Home, l *Ledger, text string) error {
	e := h.Engine()
	if _, err := e.Remember(ctx, engine.Draft{Content: text}); err != nil {
		return err
	}
	l.Set(Active, text, Either)
	id, ok, err := find(ctx, e, text)
	if !ok {
		return fmt.Errorf("%w: %q (%v)", ErrLost, text, err)
	}
	if a.Bug.Erase != nil {
		err = a.Bug.Erase(ctx, h, id)
	} else {
		_, err = h.Log().Erase(ctx, id)
	}
	if err == nil {
		l.Set(Active, text, Gone)
		l.Set(Bytes, text, Gone)
	}
	return err
}
