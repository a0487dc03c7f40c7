package mcp

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestSilence: a call that says nothing for two minutes is ended, but not while it says how far it is,
// nor while the person has a question of its server before them.
func TestSilence(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := &server{}
		alive := make(chan struct{}, 1)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		began, stopped := time.Now(), make(chan time.Duration, 1)
		go v.listen(ctx, alive, func() { stopped <- time.Since(began) })
		time.Sleep(time.Minute)
		alive <- struct{}{}
		synctest.Wait()
		v.asking.Add(1)
		time.Sleep(150 * time.Second)
		v.asking.Add(-1)
		if got, want := <-stopped, 5*time.Minute; got != want {
			t.Errorf("stopped after %v, want %v", got, want)
		}
	})
}
