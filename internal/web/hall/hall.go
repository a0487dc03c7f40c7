package hall

import (
	"context"
	"slices"
	"sync"
	"time"

	"ken/internal/agent/host"
	"ken/internal/agent/talk"
	"ken/internal/fault"
	"ken/internal/session"
)

// usualIdle is how long a conversation stays open in which nothing is said.
const usualIdle = 10 * time.Minute

// Options are what a Hall stands on.
type Options struct {
	// Open opens the conversation with an id, "" for a new one, as it is held in a directory, "" for nowhere. Required.
	Open func(ctx context.Context, id, dir string) (*talk.Talk, error)
	// Idle is how long a conversation stays open in which nothing is said; 0: ten minutes.
	Idle time.Duration
}

// A Hall is the conversations that are open. It is safe for concurrent use.
type Hall struct {
	o    Options
	host *host.Host[*room]
}

// A room is one conversation that is open, and how it stands for who looks.
type room struct {
	*talk.Talk // of who has its turn
	dir        string

	mu    sync.Mutex // guards what follows
	run   *Run       // the one under way, or the last; nil: none yet
	notes []Note
	rec   *session.Writer
	model string // that answers
	// remembers says that it has memory.
	remembers bool
	turns     []session.Turn // as they stood behind the last answer
}

// A place is a directory in which conversations are opened.
type place struct {
	h   *Hall
	dir string
}

// Open implements host.Opener.
func (p place) Open(ctx context.Context, id string) (*room, error) {
	t, err := p.h.o.Open(ctx, id, p.dir)
	if err != nil {
		return nil, err
	}
	return &room{Talk: t, dir: p.dir, rec: t.Record(), remembers: t.Remembers()}, nil
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
	return &Hall{o: o, host: host.New[*room](host.Options{Idle: o.Idle})}
}

// enter opens a conversation, or gives the one that is open, with its turn held, which outlasts who asks. Errors: those of host.Take.
func (h *Hall) enter(ctx context.Context, id, dir string) (*host.Turn[*room], error) {
	return h.host.Take(context.WithoutCancel(ctx), id, place{h, dir})
}

// Branch goes on in a copy of a conversation that ends behind turn n, or before it where that is a question: then that is returned.
func (h *Hall) Branch(ctx context.Context, id, dir string, n int) (name, question string, err error) {
	t, err := h.enter(ctx, id, dir)
	if err != nil {
		return "", "", err
	}
	defer t.Done()
	r := t.Talk
	question, err = r.Talk.Branch(ctx, n)
	if err != nil {
		return "", "", err
	}
	name = r.ID()
	t.Rename(name)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run, r.notes, r.rec = nil, nil, r.Talk.Record()
	return name, question, nil
}

// Stop ends the answer that is being given in a conversation, and reports whether one was.
func (h *Hall) Stop(id string) bool { return h.host.Stop(id) }

// Undo takes a line of the memory back that was written in a conversation, and says so. Errors: the conversation is not open; what
// the memory says.
func (h *Hall) Undo(ctx context.Context, id, line string) (string, error) {
	r, ok := h.host.Find(id)
	if !ok {
		return "", fault.NotFoundf("this conversation is closed").WithHint("take it back under Memory")
	}
	said, err := r.Do(ctx, "undo", line)
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
	r, ok := h.host.Find(id)
	if !ok {
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
	r, ok := h.host.Find(id)
	if !ok {
		return is, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	live := r.run != nil && !r.run.Look().Done
	return Open{Run: r.run, Live: live, Notes: slices.Clone(r.notes), Dir: r.dir, Model: r.model, Turns: r.turns, Remembers: r.remembers}, true
}

// Close stops what is under way and closes all conversations, while ctx lasts. It may be called again, and waits as well then.
func (h *Hall) Close(ctx context.Context) { h.host.Close(ctx) }
