package hall

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"ken/internal/agent/talk"
	"ken/internal/fault"
	"ken/internal/session"
)

const (
	// mostOpen is how many conversations are open at once.
	mostOpen = 16
	// usualIdle is how long one stays open in which nothing is said.
	usualIdle = 10 * time.Minute
	// mostShut is how long one that is being closed is waited for.
	mostShut = 5 * time.Second
)

// Options are what a Hall stands on.
type Options struct {
	// Open opens the conversation with an id, "" for a new one, as it is held in a directory, "" for nowhere. Required.
	Open func(ctx context.Context, id, dir string) (*talk.Talk, error)
	Now  func() time.Time // required
	// Idle is how long a conversation stays open in which nothing is said; 0: ten minutes.
	Idle time.Duration
}

// A Hall is the conversations that are open. It is safe for concurrent use.
type Hall struct {
	o    Options
	ctx  context.Context //nolint:containedctx // of the answers, which outlast the requests that asked for them
	end  context.CancelCauseFunc
	work sync.WaitGroup
	last sync.Mutex // held while all is closed

	mu    sync.Mutex // guards what follows
	rooms map[string]*room
	shuts map[string]chan struct{} // of conversations that are being closed: closed when they are
	over  bool
}

// A room is one conversation that is open.
type room struct {
	talk *talk.Talk
	dir  string
	turn sync.Mutex // held while talk is used

	mu    sync.Mutex // guards what follows
	run   *Run       // the one under way, or the last; nil: none yet
	notes []Note
	rec   *session.Writer
	model string // that answers
	// remembers says that it has memory.
	remembers bool
	turns     []session.Turn // as they stood behind the last answer
	used      time.Time
	idle      *time.Timer
}

// A Note is what was said beside the turns of a conversation.
type Note struct {
	After    int    // the turn that stood before it
	You      string // what was typed, where no turn has it
	Outcomes []Outcome
	Err      error
}

// An Outcome is what was done with the memory; Undo is the line that takes it back, "" if none does.
type Outcome struct{ Text, Undo string }

// New returns a hall in which nothing is open.
func New(o Options) *Hall {
	if o.Idle == 0 {
		o.Idle = usualIdle
	}
	h := &Hall{o: o, rooms: make(map[string]*room), shuts: make(map[string]chan struct{})}
	h.ctx, h.end = context.WithCancelCause(context.Background())
	return h
}

// errEnded is why an answer ended with the server.
var errEnded = errors.New("the server ended while it was answered")

// ends is errEnded for who asks.
func ends() error { return fault.New(fault.Interrupted, errEnded) }

// works has do done beside, unless all is over.
func (h *Hall) works(do func()) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.over {
		h.work.Go(do)
	}
	return !h.over
}

// busy refuses what is asked while something else is done.
func busy() error {
	return fault.Refusedf("an answer is being written in this conversation: nothing was asked").
		WithHint("wait for it, or stop it, and send this again")
}

// get is the room of a conversation that is open, and used now.
func (h *Hall) get(id string) *room {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[id]
	if r != nil {
		r.touch(h.o.Now(), h.o.Idle)
	}
	return r
}

func (r *room) touch(now time.Time, idle time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used = now
	if r.idle != nil {
		r.idle.Reset(idle)
	}
}

// enter opens a conversation, or gives the one that is open, with its turn held. Errors: it is busy; too many are; what opening says.
func (h *Hall) enter(ctx context.Context, id, dir string) (r *room, key string, err error) {
	if id != "" {
		if r := h.get(id); r != nil {
			if !r.turn.TryLock() {
				return nil, "", busy()
			}
			if h.get(id) == r {
				return r, id, nil
			}
			r.turn.Unlock() // it was closed meanwhile
		}
	}
	h.mu.Lock()
	over := h.over
	h.mu.Unlock()
	if over {
		return nil, "", ends()
	}
	if err := h.room(ctx); err != nil {
		return nil, "", err
	}
	h.closed(ctx, id)
	t, err := h.o.Open(h.ctx, id, dir)
	if err != nil {
		return nil, "", err
	}
	r = &room{talk: t, dir: dir, used: h.o.Now(), rec: t.Record(), remembers: t.Remembers()}
	r.turn.Lock()
	if key = t.ID(); key == "" { // it is not recorded
		key = "live-" + strings.ToLower(rand.Text()[:12])
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over || h.rooms[key] != nil {
		t.Close(ctx)
		if h.over {
			return nil, "", ends()
		}
		return nil, "", busy()
	}
	h.rooms[key] = r
	r.idle = time.AfterFunc(h.o.Idle, func() { h.works(func() { h.leave(key, r) }) })
	return r, key, nil
}

// room makes room for one more: the one that was not used for longest is closed. The error is that all are busy.
func (h *Hall) room(ctx context.Context) error {
	h.mu.Lock()
	if len(h.rooms) < mostOpen {
		h.mu.Unlock()
		return nil
	}
	key, oldest := "", (*room)(nil)
	for id, r := range h.rooms {
		r.mu.Lock()
		used := r.used
		r.mu.Unlock()
		if (oldest == nil || used.Before(oldest.used)) && r.turn.TryLock() {
			if oldest != nil {
				oldest.turn.Unlock()
			}
			key, oldest = id, r
		}
	}
	if oldest == nil {
		h.mu.Unlock()
		return fault.Refusedf("%d conversations are being answered: nothing was asked", mostOpen).WithHint("stop one, or wait")
	}
	end := h.shut(key)
	h.mu.Unlock()
	oldest.idle.Stop()
	if !h.works(func() { // what is due behind it may take long
		defer end()
		defer oldest.turn.Unlock()
		oldest.talk.Close(h.ctx)
	}) {
		oldest.talk.Close(ctx)
		oldest.turn.Unlock()
		end()
		return ends()
	}
	return nil
}

// shut takes a room away that is closed until end is called. h is locked now, and not then.
func (h *Hall) shut(key string) (end func()) {
	delete(h.rooms, key)
	done := make(chan struct{})
	h.shuts[key] = done
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.shuts, key)
		close(done)
	}
}

// closed waits a while for a conversation that is being closed: what is done behind it may take longer than its record.
func (h *Hall) closed(ctx context.Context, id string) {
	h.mu.Lock()
	done := h.shuts[id]
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

// leave closes a room that nobody used for long.
func (h *Hall) leave(key string, r *room) {
	if !r.turn.TryLock() { // an answer takes long
		r.touch(h.o.Now(), h.o.Idle)
		return
	}
	defer r.turn.Unlock()
	h.mu.Lock()
	if h.rooms[key] != r {
		h.mu.Unlock()
		return
	}
	end := h.shut(key)
	h.mu.Unlock()
	r.talk.Close(h.ctx)
	end()
}

// Branch goes on in a copy of a conversation that ends behind turn n, or before it where that is a question: then that is returned.
func (h *Hall) Branch(ctx context.Context, id, dir string, n int) (name, question string, err error) {
	r, key, err := h.enter(ctx, id, dir)
	if err != nil {
		return "", "", err
	}
	defer r.turn.Unlock()
	question, err = r.talk.Branch(ctx, n)
	if err != nil {
		return "", "", err
	}
	name = r.talk.ID()
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.rooms, key)
	h.rooms[name] = r
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle.Stop()
	r.idle = time.AfterFunc(h.o.Idle, func() { h.works(func() { h.leave(name, r) }) })
	r.run, r.notes, r.rec = nil, nil, r.talk.Record()
	return name, question, nil
}

// Stop ends the answer that is being given in a conversation, and reports whether one was.
func (h *Hall) Stop(id string) bool {
	r := h.get(id)
	return r != nil && r.talk.Stop()
}

// Undo takes a line of the memory back that was written in a conversation, and says so. Errors: the conversation is not open; what
// the memory says.
func (h *Hall) Undo(ctx context.Context, id, line string) (string, error) {
	r := h.get(id)
	if r == nil {
		return "", fault.NotFoundf("this conversation is closed").WithHint("take it back under Memory")
	}
	said, err := r.talk.Do(ctx, "undo", line)
	if err != nil {
		return "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.notes {
		for j := range r.notes[i].Outcomes {
			if t := &r.notes[i].Outcomes[j]; t.Undo == line {
				t.Undo = ""
			}
		}
	}
	return said, nil
}

// Record is the record of a conversation that is open; nil if it is not.
func (h *Hall) Record(id string) *session.Writer {
	r := h.get(id)
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rec
}

// An Open is a conversation that is open, as it stands.
type Open struct {
	Run   *Run   // under way, or the last; nil: nothing was asked yet
	Live  bool   // Run was under way
	Notes []Note // in their order
	Dir   string // where it is held
	Model string // that answers; "": nothing was asked yet
	Turns []session.Turn
	// Remembers says that it has memory.
	Remembers bool
}

// Open is how a conversation stands that is open; ok is false if it is not.
func (h *Hall) Open(id string) (is Open, ok bool) {
	r := h.get(id)
	if r == nil {
		return is, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	live := r.run != nil && !r.run.Look().Done
	return Open{Run: r.run, Live: live, Notes: slices.Clone(r.notes), Dir: r.dir, Model: r.model, Turns: r.turns, Remembers: r.remembers}, true
}

// Close stops what is under way and closes all conversations, while ctx lasts. It may be called again, and waits as well then.
func (h *Hall) Close(ctx context.Context) {
	h.last.Lock()
	defer h.last.Unlock()
	h.mu.Lock()
	rooms := h.rooms
	h.rooms, h.over = map[string]*room{}, true
	h.mu.Unlock()
	h.end(errEnded)
	h.work.Wait()
	for _, r := range rooms {
		r.turn.Lock()
		r.idle.Stop()
		r.talk.Close(ctx)
		r.turn.Unlock()
	}
}
