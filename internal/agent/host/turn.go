package host

import (
	"context"
	"slices"
	"time"
)

// A Turn is the right to use a conversation, which one at a time has.
type Turn[C Conversation] struct {
	Talk C      // the conversation, once Wait has returned
	Key  string // its key, from then on

	h    *Host[C]
	s    *seat[C]
	by   Opener[C]
	asks context.Context //nolint:containedctx // of who asks for the turn
	ctx  context.Context //nolint:containedctx // of what is done in it
	stop context.CancelCauseFunc
	off  func() bool // the end of the host ends ctx no more
}

// Take takes the turn of a conversation, which is opened if it is not: of a new one for the key "". Done is called when it is over.
// Errors: something else is done there; as many are open as may be, and all of them are busy; what opening says; ErrEnded.
func (h *Host[C]) Take(ctx context.Context, key string, by Opener[C]) (*Turn[C], error) {
	t, err := h.Queue(ctx, key, by)
	if err != nil {
		return nil, err
	}
	return t, t.begin(false)
}

// Queue stands in line for the turn of a conversation: Stop reaches it from now on. Wait is called next. Errors: as many are open as
// may be, and all of them are busy; ErrEnded.
func (h *Host[C]) Queue(ctx context.Context, key string, by Opener[C]) (*Turn[C], error) {
	t := &Turn[C]{h: h, by: by, asks: ctx}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := t.stand(key); err != nil {
		return nil, err
	}
	t.ctx, t.stop = context.WithCancelCause(ctx)
	t.off = context.AfterFunc(h.ctx, func() { t.stop(ErrEnded) })
	return t, nil
}

// stand gets in line; the host is locked.
func (t *Turn[C]) stand(key string) error {
	h := t.h
	if h.over {
		return ended()
	}
	s := h.seat(key)
	if s == nil {
		if err := h.room(); err != nil {
			return err
		}
		s = &seat[C]{key: key, turn: make(chan struct{}, 1)}
		h.seats = append(h.seats, s)
	}
	t.s, s.turns = s, append(s.turns, t)
	h.use(s)
	return nil
}

// Context is that of what is done in the turn. It ends with the context that the turn was asked for with, with Done, with ErrStopped
// where Stop is called, and with ErrEnded where the host is closed.
func (t *Turn[C]) Context() context.Context { return t.ctx }

// Wait waits for the turn, and opens the conversation if it is not open. One that Stop ended is waited for as well: its context has
// ended then. Done is called when the turn is over, unless Wait returns an error: the context ended with which it was asked for; what
// opening says; the conversation was closed for good; ErrEnded.
func (t *Turn[C]) Wait() error { return t.begin(true) }

func (t *Turn[C]) begin(wait bool) error {
	for {
		if !t.s.try() {
			if !wait {
				return t.leave(busy())
			}
			select {
			case t.s.turn <- struct{}{}:
			case <-t.asks.Done():
				return t.leave(context.Cause(t.asks))
			case <-t.h.ctx.Done():
				return t.leave(ended())
			}
		}
		anew, err := t.sit()
		if !anew || err != nil {
			return err
		}
	}
}

// sit begins a turn that is held. anew says that it is none, for the conversation was closed, and that the turn stands in line again.
func (t *Turn[C]) sit() (anew bool, err error) {
	h, s := t.h, t.s
	h.mu.Lock()
	if s.open && !s.gone {
		t.Talk, t.Key = s.talk, s.key
		h.mu.Unlock()
		return false, nil
	}
	gone, left, over, key := s.gone, s.left, h.over, s.key
	h.mu.Unlock()
	switch {
	case !gone:
		return false, t.open(key)
	case over:
		err = ended()
	case left:
		err = closed()
	}
	<-s.turn
	t.drop()
	if err == nil {
		h.mu.Lock()
		err = t.stand(key)
		h.mu.Unlock()
	}
	if err != nil {
		t.release()
	}
	return true, err
}

// open opens the conversation, whose turn is held.
func (t *Turn[C]) open(key string) (err error) {
	h, s, ok := t.h, t.s, false
	defer func() {
		if ok {
			return
		}
		h.mu.Lock() // opening failed, or broke off
		h.away(s)
		h.mu.Unlock()
		<-s.turn
		err = t.leave(err)
	}()
	h.closed(t.asks, key)
	talk, err := t.by.Open(h.ctx, key)
	if err != nil {
		return err
	}
	if key == "" {
		key = name(talk.ID())
	}
	again := talk.ID() != ""
	h.mu.Lock()
	defer h.mu.Unlock()
	s.talk, s.open, s.key, s.again = talk, true, key, again
	if s.gone { // who took it away waits for its turn, and closes it
		if err = closed(); h.over {
			err = ended()
		}
		return err
	}
	if h.o.Idle > 0 {
		s.idle = time.AfterFunc(h.o.Idle, func() { h.Go(func() { h.idles(s) }) })
	}
	t.Talk, t.Key, ok = talk, key, true
	return nil
}

// Rename gives the conversation another key, by which it is asked for from now on: it goes on in a copy.
func (t *Turn[C]) Rename(key string) {
	t.h.mu.Lock()
	defer t.h.mu.Unlock()
	t.s.key, t.Key = key, key
}

// Done ends the turn: whoever stands in line has the next. It is called once.
func (t *Turn[C]) Done() {
	again := t.Talk.ID() != ""
	t.h.mu.Lock()
	t.s.again = again
	t.h.use(t.s)
	t.h.mu.Unlock()
	_ = t.leave(nil)
	<-t.s.turn
}

// leave gets out of line, with why.
func (t *Turn[C]) leave(why error) error {
	t.drop()
	t.release()
	return why
}

// drop takes the turn from its seat.
func (t *Turn[C]) drop() {
	t.h.mu.Lock()
	defer t.h.mu.Unlock()
	t.s.turns = slices.DeleteFunc(t.s.turns, func(one *Turn[C]) bool { return one == t })
}

// release ends the context.
func (t *Turn[C]) release() {
	t.off()
	t.stop(nil)
}
