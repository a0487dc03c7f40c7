package host

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ken/internal/fault"
)

// A fake is a conversation that takes as long as the test says.
type fake struct {
	id     string
	closes chan struct{} // Close waits for it; nil: it does not
	mu     sync.Mutex
	closed bool
}

func (f *fake) ID() string { return f.id }

func (f *fake) Close(context.Context) {
	if f.closes != nil {
		<-f.closes
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
}

func (f *fake) isClosed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.closed
}

// fakes open fakes, and know all of them.
type fakes struct {
	mu     sync.Mutex
	all    []*fake
	opens  chan struct{} // Open waits for it; nil: it does not
	closes chan struct{} // of those that are opened
	live   bool          // those that are begun have no record
	err    error
}

func (o *fakes) Open(_ context.Context, key string) (*fake, error) {
	if o.opens != nil {
		<-o.opens
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return nil, o.err
	}
	f := &fake{id: key, closes: o.closes}
	if key == "" && !o.live {
		f.id = fmt.Sprint("id-", len(o.all)+1)
	}
	o.all = append(o.all, f)
	return f, nil
}

func (o *fakes) opened() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.all)
}

// in runs a test in a bubble, with a host that is closed behind it.
func in(t *testing.T, o Options, test func(t *testing.T, h *Host[*fake], f *fakes)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, f := New[*fake](o), &fakes{}
		test(t, h, f)
		h.Close(t.Context())
		for i, one := range f.all {
			if !one.isClosed() {
				t.Errorf("the conversation %d stays open", i)
			}
		}
	})
}

// used uses a conversation for a moment, and returns its key.
func used(t *testing.T, h *Host[*fake], f *fakes, key string) string {
	t.Helper()
	turn, err := h.Take(t.Context(), key, f)
	if err != nil {
		t.Fatal(err)
	}
	turn.Done()
	return turn.Key
}

// TestOneAtATime: of many who want the turn of one conversation that is not open one opens it; Take refuses the others, and Queue has
// each wait for theirs, in which they are alone.
func TestOneAtATime(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *Host[*fake], f *fakes) {
		f.opens = make(chan struct{})
		var all sync.WaitGroup
		var mu sync.Mutex
		had, inside := 0, 0
		for range 20 {
			all.Go(func() {
				turn, err := h.Queue(t.Context(), "a", f)
				if err == nil {
					err = turn.Wait()
				}
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				had++
				if inside++; inside > 1 {
					t.Error("two use it at once")
				}
				mu.Unlock()
				time.Sleep(time.Second)
				mu.Lock()
				inside--
				mu.Unlock()
				turn.Done()
			})
		}
		synctest.Wait()
		if _, err := h.Take(t.Context(), "a", f); fault.KindOf(err) != fault.Refused {
			t.Errorf("taken while it is opened: %v", err)
		}
		close(f.opens)
		all.Wait()
		if used(t, h, f, "a"); had != 20 || f.opened() != 1 {
			t.Errorf("%d had a turn, %d were opened", had, f.opened())
		}
	})
}

// TestRoom: for one more than may be open, the one that was not used for longest is closed, and opened again when it is asked for; to
// look at one is to use it. Where all are busy, one more is refused and none is closed.
func TestRoom(t *testing.T) {
	in(t, Options{Most: 3}, func(t *testing.T, h *Host[*fake], f *fakes) {
		a, b, c := used(t, h, f, ""), used(t, h, f, ""), used(t, h, f, "")
		if _, ok := h.Find(a); !ok {
			t.Error("the first is closed")
		}
		d := used(t, h, f, "")
		synctest.Wait()
		if _, ok := h.Find(b); ok || !f.all[1].isClosed() || f.all[0].isClosed() {
			t.Error("not the one that was not used for longest is closed")
		}
		if used(t, h, f, b) != b || f.opened() != 5 {
			t.Error("it is not opened again")
		}
		var turns []*Turn[*fake]
		for _, key := range []string{a, b, d} {
			turn, err := h.Take(t.Context(), key, f)
			if err != nil {
				t.Fatal(err)
			}
			turns = append(turns, turn)
		}
		for _, key := range []string{"", c} {
			if _, err := h.Take(t.Context(), key, f); fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "3 conversations") {
				t.Errorf("one more: %v", err)
			}
		}
		for _, turn := range turns {
			if turn.Talk.isClosed() {
				t.Error("a busy one is closed")
			}
			turn.Done()
		}
	})
}

// TestRecorded: where only those may be closed that can be opened again, the others stay open, and take no room.
func TestRecorded(t *testing.T) {
	in(t, Options{Most: 2, Idle: time.Minute, Recorded: true}, func(t *testing.T, h *Host[*fake], f *fakes) {
		f.live = true
		one, two := used(t, h, f, ""), used(t, h, f, "recorded")
		time.Sleep(time.Hour)
		synctest.Wait()
		if f.all[0].isClosed() || !f.all[1].isClosed() {
			t.Error("the wrong one is closed")
		}
		if other := used(t, h, f, ""); other == one || used(t, h, f, two) != two {
			t.Error("it is not opened again")
		}
		for _, one := range []string{"another", "one more"} {
			used(t, h, f, one)
		}
		synctest.Wait()
		open := 0
		for _, one := range f.all {
			if !one.isClosed() {
				open++
			}
		}
		if open != 4 {
			t.Errorf("%d are open, want the two without a record and two with one", open)
		}
	})
}

// TestQueuedIsKept: one for which somebody stands in line is not closed to make room, nor because it was idle.
func TestQueuedIsKept(t *testing.T) {
	in(t, Options{Most: 1, Idle: time.Minute}, func(t *testing.T, h *Host[*fake], f *fakes) {
		one := used(t, h, f, "")
		turn, err := h.Queue(t.Context(), one, f)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if _, err := h.Queue(t.Context(), "", f); fault.KindOf(err) != fault.Refused {
			t.Errorf("one more: %v", err)
		}
		if err := turn.Wait(); err != nil || turn.Talk != f.all[0] || turn.Talk.isClosed() {
			t.Errorf("it is another one, or closed: %v", err)
		}
		turn.Done()
	})
}

// TestLeftIsWaitedFor: who asks for a conversation that is being closed for good waits for that, and so does the end of all.
func TestLeftIsWaitedFor(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *Host[*fake], f *fakes) {
		f.closes = make(chan struct{})
		one := used(t, h, f, "")
		go h.Leave(t.Context(), one)
		synctest.Wait()
		again, ended := make(chan bool, 1), make(chan bool, 1)
		go func() { again <- used(t, h, f, one) == one }()
		synctest.Wait()
		if n := f.opened(); n != 1 {
			t.Errorf("it is opened again while it is closed: %d", n)
		}
		close(f.closes)
		if !<-again {
			t.Error("it is not opened again")
		}
		go func() { h.Close(t.Context()); ended <- true }()
		<-ended
		if f.opened() != 2 || !f.all[0].isClosed() || !f.all[1].isClosed() {
			t.Error("one is open")
		}
	})
}

// TestIdle: one that is not used for long is closed; one that is busy, or used now and then, is not.
func TestIdle(t *testing.T) {
	in(t, Options{Idle: time.Minute}, func(t *testing.T, h *Host[*fake], f *fakes) {
		idle, kept := used(t, h, f, ""), used(t, h, f, "")
		turn, err := h.Take(t.Context(), "", f)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			time.Sleep(40 * time.Second)
			if used(t, h, f, kept) != kept {
				t.Error("another one")
			}
		}
		synctest.Wait()
		if _, ok := h.Find(idle); ok || !f.all[0].isClosed() || f.all[1].isClosed() || turn.Talk.isClosed() || f.opened() != 3 {
			t.Error("the wrong ones are closed")
		}
		turn.Done()
		if used(t, h, f, idle) != idle || f.opened() != 4 {
			t.Error("it is not opened again")
		}
	})
}

// TestStop: to stop ends what is under way and what waits, each in its turn, and nothing that comes later.
func TestStop(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *Host[*fake], f *fakes) {
		key := used(t, h, f, "")
		if h.Stop(key) || h.Stop("none") {
			t.Error("stopped nothing")
		}
		now, err := h.Take(t.Context(), key, f)
		if err != nil {
			t.Fatal(err)
		}
		next, err := h.Queue(t.Context(), key, f)
		if err != nil {
			t.Fatal(err)
		}
		if !h.Stop(key) {
			t.Error("nothing was stopped")
		}
		last, err := h.Queue(t.Context(), key, f)
		if err != nil {
			t.Fatal(err)
		}
		now.Done()
		for turn, want := range map[*Turn[*fake]]error{next: ErrStopped, last: nil} {
			if err := turn.Wait(); err != nil || !errors.Is(context.Cause(turn.Context()), want) {
				t.Errorf("%v, %v", err, context.Cause(turn.Context()))
			}
			turn.Done()
		}
	})
}

// TestWaits: who waits does so no longer than who asked does; what cannot be opened is tried again by the next.
func TestWaits(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *Host[*fake], f *fakes) {
		f.err = errors.New("it is held elsewhere")
		if _, err := h.Take(t.Context(), "a", f); !errors.Is(err, f.err) {
			t.Error(err)
		}
		f.err = nil
		key := used(t, h, f, "a")
		turn, err := h.Take(t.Context(), key, f)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		late, err := h.Queue(ctx, key, f)
		if err != nil {
			t.Fatal(err)
		}
		if err := late.Wait(); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		turn.Done()
	})
}

// TestRename: a conversation that goes on in a copy is found by the new key alone, and its idle time goes on.
func TestRename(t *testing.T) {
	in(t, Options{Idle: time.Minute}, func(t *testing.T, h *Host[*fake], f *fakes) {
		turn, err := h.Take(t.Context(), "a", f)
		if err != nil {
			t.Fatal(err)
		}
		turn.Rename("b")
		turn.Done()
		if _, ok := h.Find("a"); ok {
			t.Error("it is found by its old key")
		}
		if talk, ok := h.Find("b"); !ok || talk != turn.Talk {
			t.Error("it is not found by its new key")
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if _, ok := h.Find("b"); ok {
			t.Error("it stays open")
		}
	})
}

// TestLeave: one that is left is stopped and closed, once, and who waits for it is told; it can be opened again afterwards.
func TestLeave(t *testing.T) {
	in(t, Options{}, func(t *testing.T, h *Host[*fake], f *fakes) {
		turn, err := h.Take(t.Context(), "a", f)
		if err != nil {
			t.Fatal(err)
		}
		next, err := h.Queue(t.Context(), "a", f)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			<-turn.Context().Done()
			time.Sleep(time.Second)
			turn.Done()
		}()
		h.Leave(t.Context(), "a")
		if !errors.Is(context.Cause(turn.Context()), ErrStopped) || !turn.Talk.isClosed() {
			t.Error("it is not closed")
		}
		if err := next.Wait(); fault.KindOf(err) != fault.NotFound || !errors.Is(context.Cause(next.Context()), ErrStopped) {
			t.Errorf("%v, %v", err, context.Cause(next.Context()))
		}
		h.Leave(t.Context(), "a")
		if used(t, h, f, "a"); f.opened() != 2 {
			t.Error("it is not opened again")
		}
	})
}

// TestClosesBeside: while one conversation is closed, which may take as long as a model, the others are found, used, stopped and
// opened; one that is asked for again meanwhile waits a while for its record.
func TestClosesBeside(t *testing.T) {
	in(t, Options{Most: 2}, func(t *testing.T, h *Host[*fake], f *fakes) {
		f.closes = make(chan struct{})
		a := used(t, h, f, "")
		b := used(t, h, f, "")
		began := time.Now()
		c := used(t, h, f, "") // a is being closed
		if _, ok := h.Find(b); !ok || h.Stop(b) || used(t, h, f, c) != c || time.Since(began) != 0 {
			t.Errorf("the others waited for %v", time.Since(began))
		}
		if used(t, h, f, a) != a || time.Since(began) != mostShut {
			t.Errorf("it was waited for %v", time.Since(began))
		}
		close(f.closes)
	})
}

// TestEnd: with the host what is under way ends, and says why; what is being opened meanwhile is closed, without a lock; afterwards
// nothing is opened or done.
func TestEnd(t *testing.T) {
	in(t, Options{Idle: time.Minute}, func(t *testing.T, h *Host[*fake], f *fakes) {
		turn, err := h.Take(t.Context(), "a", f)
		if err != nil {
			t.Fatal(err)
		}
		f.opens = make(chan struct{})
		f.closes = make(chan struct{})
		opens := make(chan error)
		go func() {
			_, err := h.Take(t.Context(), "b", f)
			opens <- err
		}()
		synctest.Wait()
		ended := make(chan struct{})
		go func() {
			h.Close(t.Context())
			close(ended)
		}()
		<-turn.Context().Done()
		if !errors.Is(context.Cause(turn.Context()), ErrEnded) {
			t.Error(context.Cause(turn.Context()))
		}
		close(f.opens)
		if err := <-opens; !errors.Is(err, ErrEnded) {
			t.Error(err)
		}
		synctest.Wait() // b is being closed
		if _, ok := h.Find("b"); ok || h.Stop("b") || h.Go(func() {}) {
			t.Error("something is open")
		}
		if _, err := h.Take(t.Context(), "c", f); !errors.Is(err, ErrEnded) {
			t.Error(err)
		}
		turn.Done()
		close(f.closes)
		<-ended
	})
}
