package battery

import (
	"context"
	"fmt"
	"sync"
)

// AtOnce has several processes remember at the same time, and checks that what
// each of them was told is there.
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
	errs := make(chan error, a.Writers*a.Each)
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
	wg.Wait()
	close(errs)
	for err := range errs {
		r.Add(err, "a writer")
	}
	r.Add(Check(ctx, h, l, false), "%d writers, %d texts each", a.Writers, a.Each)
	r.Cases, r.Survived = r.Cases+a.Writers*a.Each-1, r.Survived+a.Writers*a.Each-1
	return r, nil
}
