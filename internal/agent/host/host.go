package host

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"ken/internal/fault"
)

const (
	// usualMost is how many conversations are open at once, unless Options say otherwise.
	usualMost = 16
	// mostShut is how long one that is being closed is waited for.
	mostShut = 5 * time.Second
)

var (
	// ErrStopped is why the context of a turn ended that Stop ended.
	ErrStopped = errors.New("stopped")
	// ErrEnded is why the context of a turn ended that was under way when all was closed.
	ErrEnded = errors.New("the server ended while it was answered")
)

// A Conversation is one that can be held. A talk.Talk is one.
type Conversation interface {
	// ID is that of the record, by which it can be opened again; "" if it has none. It is called while a turn is held.
	ID() string
	// Close ends it. What is due behind it is done while ctx lasts. It is called once.
	Close(ctx context.Context)
}

// An Opener opens conversations.
type Opener[C Conversation] interface {
	// Open opens the conversation of a key, or begins a new one for "". ctx lasts as long as the host.
	Open(ctx context.Context, key string) (C, error)
}

// Options say how many conversations are held, and for how long.
type Options struct {
	Most int           // how many are open at once; 0: 16
	Idle time.Duration // how long one stays open that is not used; 0: as long as there is room
	// Recorded has only those be counted, and closed to make room or because they are idle, that have a record: the others could not be
	// opened again.
	Recorded bool
}

// A Host is the conversations that are open. It is safe for concurrent use.
type Host[C Conversation] struct {
	o    Options
	ctx  context.Context //nolint:containedctx // of turns, which end with the host
	end  context.CancelCauseFunc
	work sync.WaitGroup
	last sync.Mutex // held while all is closed

	mu    sync.Mutex // guards what follows, and what seats say it does; never held while a conversation is opened, used or closed
	seats []*seat[C] // the one that was not used for longest comes first
	shuts map[string]chan struct{}
	over  bool
}

// A seat is one conversation that is open, or being opened.
type seat[C Conversation] struct {
	turn chan struct{} // full while it is used
	talk C             // of who has the turn, once it is open

	// Host.mu guards what follows.
	key   string
	open  bool
	again bool       // it has a record
	turns []*Turn[C] // under way, and in line
	idle  *time.Timer
	gone  bool // it is closed, or will be by who took it away
	left  bool // for good: who waits for it is refused
}

// New returns a host of which nothing is open.
func New[C Conversation](o Options) *Host[C] {
	if o.Most == 0 {
		o.Most = usualMost
	}
	h := &Host[C]{o: o, shuts: make(map[string]chan struct{})}
	h.ctx, h.end = context.WithCancelCause(context.Background())
	return h
}

// ended is ErrEnded for who asks.
func ended() error { return fault.New(fault.Interrupted, ErrEnded) }

// busy refuses what is asked while something else is done.
func busy() error {
	return fault.Refusedf("an answer is being written in this conversation: nothing was asked").
		WithHint("wait for it, or stop it, and send this again")
}

// closed refuses what is asked in a conversation that was closed meanwhile.
func closed() error { return fault.NotFoundf("this conversation is closed") }

// Go has do done beside, and Close wait for it. It reports whether that is so: after Close nothing is done.
func (h *Host[C]) Go(do func()) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.over {
		h.work.Go(do)
	}
	return !h.over
}

// Find is the conversation of a key, if it is open. It counts as used now, and its turn may be another's.
func (h *Host[C]) Find(key string) (talk C, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.seat(key)
	if s == nil || !s.open {
		return talk, false
	}
	h.use(s)
	return s.talk, true
}

// Stop ends the contexts of the turn of a conversation that is under way and of those in line, and reports whether one was.
func (h *Host[C]) Stop(key string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.seat(key)
	return s != nil && s.stop()
}

// stop is Stop of one; the host is locked.
func (s *seat[C]) stop() bool {
	for _, t := range s.turns {
		t.stop(ErrStopped)
	}
	return len(s.turns) > 0
}

// seat is the seat of a key; the host is locked.
func (h *Host[C]) seat(key string) *seat[C] {
	if i := slices.IndexFunc(h.seats, func(s *seat[C]) bool { return key != "" && s.key == key }); i >= 0 {
		return h.seats[i]
	}
	return nil
}

// use notes that a seat is used now; the host is locked.
func (h *Host[C]) use(s *seat[C]) {
	if i := slices.Index(h.seats, s); i >= 0 {
		h.seats = append(slices.Delete(h.seats, i, i+1), s)
		if s.idle != nil {
			s.idle.Reset(h.o.Idle)
		}
	}
}

// mayClose reports whether a conversation may be closed that somebody may want again; the host is locked.
func (h *Host[C]) mayClose(s *seat[C]) bool { return s.open && (s.again || !h.o.Recorded) }

// room makes room for one more; the host is locked. What could not be opened again takes none. The error is that all are busy.
func (h *Host[C]) room() error {
	taken := 0
	for _, s := range h.seats {
		if !s.open || h.mayClose(s) {
			taken++
		}
	}
	if taken < h.o.Most {
		return nil
	}
	for _, s := range h.seats {
		if h.mayClose(s) && s.free() {
			end := h.shut(s)
			h.work.Go(func() { // what is due behind it may take long
				defer end()
				s.talk.Close(h.ctx)
			})
			return nil
		}
	}
	return fault.Refusedf("%d conversations are being answered: nothing was asked", h.o.Most).WithHint("stop one, or wait")
}

// free takes the turn of a seat at which nobody stands; the host is locked.
func (s *seat[C]) free() bool { return len(s.turns) == 0 && s.try() }

// try takes the turn, if nobody has it.
func (s *seat[C]) try() bool {
	select {
	case s.turn <- struct{}{}:
		return true
	default:
		return false
	}
}

// away takes a seat away, to be closed by the caller; the host is locked.
func (h *Host[C]) away(s *seat[C]) {
	h.seats = slices.DeleteFunc(h.seats, func(one *seat[C]) bool { return one == s })
	s.gone = true
	if s.idle != nil {
		s.idle.Stop()
	}
}

// shut takes a seat away that is being closed until end is called, which gives its turn back. The host is locked now, and not then.
func (h *Host[C]) shut(s *seat[C]) (end func()) {
	h.away(s)
	key, done := s.key, make(chan struct{})
	h.shuts[key] = done
	return func() {
		h.mu.Lock()
		if h.shuts[key] == done {
			delete(h.shuts, key)
		}
		h.mu.Unlock()
		close(done)
		<-s.turn
	}
}

// closed waits a while for a conversation that is being closed: what is done behind it may take longer than its record.
func (h *Host[C]) closed(ctx context.Context, key string) {
	h.mu.Lock()
	done := h.shuts[key]
	h.mu.Unlock()
	if done == nil {
		return
	}
	wait, cancel := context.WithTimeout(ctx, mostShut)
	defer cancel()
	select {
	case <-done:
	case <-wait.Done():
	}
}

// idles closes a conversation that nobody used for long.
func (h *Host[C]) idles(s *seat[C]) {
	h.mu.Lock()
	switch {
	case s.gone:
		h.mu.Unlock()
	case !h.mayClose(s) || !s.free(): // an answer takes long
		s.idle.Reset(h.o.Idle)
		h.mu.Unlock()
	default:
		end := h.shut(s)
		h.mu.Unlock()
		defer end()
		s.talk.Close(h.ctx)
	}
}

// Leave stops what is under way in a conversation and closes it for good, once that has ended. What is due behind it is done while ctx
// lasts.
func (h *Host[C]) Leave(ctx context.Context, key string) {
	h.mu.Lock()
	s := h.seat(key)
	if s == nil || h.over {
		h.mu.Unlock()
		h.closed(ctx, key)
		return
	}
	s.left = true
	end := h.shut(s)
	s.stop()
	h.work.Add(1) // Close waits for it
	h.mu.Unlock()
	defer h.work.Done()
	s.turn <- struct{}{}
	defer end()
	if s.open {
		s.talk.Close(ctx)
	}
}

// Close ends the contexts of all turns with ErrEnded and closes all conversations, each once its turn is over and one after the other:
// what is due behind them, which is done while ctx lasts, is of one memory. It may be called again, and waits as well then.
func (h *Host[C]) Close(ctx context.Context) {
	h.last.Lock()
	defer h.last.Unlock()
	h.mu.Lock()
	seats := slices.Clone(h.seats)
	for _, s := range seats {
		s.left = true
		h.away(s)
	}
	h.over = true
	h.mu.Unlock()
	h.end(ErrEnded)
	var all sync.WaitGroup
	var alone sync.Mutex
	for _, s := range seats {
		all.Go(func() {
			s.turn <- struct{}{}
			defer func() { <-s.turn }()
			alone.Lock()
			defer alone.Unlock()
			if s.open {
				s.talk.Close(ctx)
			}
		})
	}
	h.work.Wait()
	all.Wait()
}

// name is the key of a conversation that was begun.
func name(id string) string {
	if id == "" { // it is not recorded
		return "live-" + strings.ToLower(rand.Text()[:12])
	}
	return id
}
