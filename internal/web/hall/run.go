package hall

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"ken/internal/agent/host"
	"ken/internal/agent/loop"
	"ken/internal/agent/talk"
	"ken/internal/agent/turn"
	"ken/internal/fault"
	"ken/internal/llm"
	"ken/internal/termsafe"
	"ken/internal/tool"
	"ken/internal/verbs"
)

// mostShown is how much of an answer is shown while it is written, in bytes. The record has all of it.
const mostShown = 1 << 20

// Asked is what the person asks for.
type Asked struct {
	ID    string // of the conversation; "": a new one
	Dir   string // where it is held; "": nowhere
	Text  string // as it was typed
	Model string // that answers from now on; "": as it is
	// Memory is whether there is memory from now on: "on" or "off"; "": as it is.
	Memory string
	Again  bool // the last question is asked once more, in its place; Text does not count
	// Known are the numbers of the turns that there were.
	Known int
}

// A State is how far an answer is.
type State struct {
	Rev      int
	Text     string // of the answer, so far
	Doing    string // what is done while nothing is written; "" if that is not known
	Outcomes []Outcome
	Done     bool
	Stopped  bool  // by the person
	Err      error // that it ended with
}

// A Run is a question that is answered. It is safe for concurrent use.
type Run struct {
	ID    string // of its own
	Talk  string // of the conversation
	You   string // what was typed
	Known int    // see Asked

	talk *talk.Talk

	mu      sync.Mutex // guards what follows
	s       State
	raw     strings.Builder // of the answer
	start   int             // of what came since tools ran, in raw
	changed chan struct{}   // closed with the next change
}

// Look is how far it is now.
func (r *Run) Look() State {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.s
	s.Outcomes = slices.Clone(s.Outcomes)
	s.Text = termsafe.Clean(r.raw.String())
	return s
}

// Changed is closed when it is further than rev.
func (r *Run) Changed(rev int) <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.s.Rev > rev {
		now := make(chan struct{})
		close(now)
		return now
	}
	return r.changed
}

// Wait waits until it is done, or ctx is, and is how far it is then.
func (r *Run) Wait(ctx context.Context) State {
	for {
		s := r.Look()
		if s.Done {
			return s
		}
		select {
		case <-r.Changed(s.Rev):
		case <-ctx.Done():
			return r.Look()
		}
	}
}

// change changes how far it is.
func (r *Run) change(do func(*State)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	do(&r.s)
	r.s.Rev++
	close(r.changed)
	r.changed = make(chan struct{})
}

// Ask begins to answer what was typed, and returns at once. Errors: nothing was typed; the conversation is busy, or cannot be opened;
// there is no such model.
func (h *Hall) Ask(ctx context.Context, a Asked) (*Run, error) {
	text := strings.TrimSpace(termsafe.Clean(a.Text))
	if text == "" && !a.Again {
		return nil, fault.Usagef("nothing was typed")
	}
	t, err := h.enter(ctx, a.ID, a.Dir)
	if err != nil {
		return nil, err
	}
	run, q, err := t.Talk.begin(ctx, t.Key, a, text)
	if err != nil {
		t.Done()
		return nil, err
	}
	if !h.host.Go(func() {
		done := t.Talk.answer(t.Context(), run, q)
		t.Done()
		done() // who sees that it is done can ask at once
	}) {
		t.Done()
		return nil, ends()
	}
	return run, nil
}

// ends is that all ended with the server.
func ends() error { return fault.New(fault.Interrupted, host.ErrEnded) }

// begin begins an answer: to text, or to the last question once more. The turn is held.
func (r *room) begin(ctx context.Context, key string, a Asked, text string) (run *Run, q turn.Question, err error) {
	q = turn.Question{Text: text, Typed: text, Sentence: true}
	if a.Again {
		if q, err = r.Again(ctx); err != nil {
			return nil, q, err
		}
		text = ""
	}
	_, model := r.Models()
	if a.Model != "" && a.Model != model {
		if err := r.Choose(ctx, a.Model); err != nil {
			return nil, q, err
		}
		model = a.Model
	}
	if a.Memory != "" {
		r.Switch(a.Memory == "on")
	}
	run = &Run{
		ID: strings.ToLower(rand.Text()[:16]), Talk: key, You: r.Mask(text), Known: a.Known, talk: r.Talk,
		changed: make(chan struct{}),
	}
	r.mu.Lock()
	r.run, r.model, r.remembers = run, model, r.Remembers()
	r.mu.Unlock()
	return run, q, nil
}

// answer answers a question, and notes what was said beside it. done says so to who watches. A fault of ken ends this answer alone.
func (r *room) answer(ctx context.Context, run *Run, q turn.Question) (done func()) {
	defer func() {
		if p := recover(); p != nil {
			err := fault.New(fault.Failure, fmt.Errorf("the answer failed: a fault of ken: %v", p)).WithHint("report it; the memory is as it was")
			done = func() { run.change(func(s *State) { s.Done, s.Err, s.Doing = true, err, "" }) }
		}
	}()
	var err error
	told := run.outcome(r.Talk)
	if verb, rest, ok := verbs.Slashed(verbs.Page, q.Text); ok && q.Again == nil {
		var said string
		if said, err = r.Do(ctx, verb.Name, rest); err == nil {
			told(said)
		}
	} else {
		err = run.ask(ctx, q, told)
	}
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, host.ErrEnded):
		err = ends()
	case err != nil && errors.Is(cause, host.ErrStopped):
		err = host.ErrStopped
	}
	s := run.Look()
	note := Note{You: run.You, Outcomes: s.Outcomes, Err: err}
	turns := slices.Clone(r.Turns())
	if len(turns) > 0 {
		note.After = turns[len(turns)-1].N
	}
	if note.After > run.Known {
		note.You = "" // a turn has it
	}
	stopped := errors.Is(err, host.ErrStopped)
	if stopped {
		note.Err = nil
	}
	return func() { // as one: who looks sees an answer that is written, or all that is left of it
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.run == run {
			r.turns = turns
		}
		if len(note.Outcomes) > 0 || note.Err != nil || note.You != "" {
			r.notes = append(r.notes, note)
		}
		run.change(func(s *State) { s.Done, s.Stopped, s.Err, s.Doing = true, stopped, note.Err, "" })
	}
}

// outcome adds what was done with the memory.
func (r *Run) outcome(c *talk.Talk) func(string) {
	known := c.Undoable()
	return func(line string) {
		one := Outcome{Text: c.Mask(termsafe.Clean(line))}
		now := c.Undoable()
		if len(now) > len(known) {
			one.Undo = now[len(now)-1]
		}
		known = now
		r.change(func(s *State) { s.Outcomes = append(s.Outcomes, one) })
	}
}

// ask has a model answer.
func (r *Run) ask(ctx context.Context, q turn.Question, told func(string)) error {
	mask := r.talk.Stream()
	add := func(text string) {
		if text == "" {
			return
		}
		r.change(func(s *State) {
			s.Doing = ""
			if room := mostShown - r.raw.Len(); room > 0 {
				r.raw.WriteString(text[:min(len(text), room)])
			}
		})
	}
	_, err := r.talk.Ask(ctx, q, turn.Events{
		Sends: func(name string) { r.change(func(s *State) { s.Doing = "asking " + termsafe.Line(name) }) },
		Delta: func(d llm.Delta) error {
			if d.Rethought {
				mask = r.talk.Stream()
				r.change(func(*State) {
					kept := r.raw.String()[:r.start]
					r.raw.Reset()
					r.raw.WriteString(kept)
				})
			}
			add(mask.Write(d.Text))
			return ctx.Err()
		},
		Paused: func() error {
			add(mask.Flush())
			r.change(func(*State) {
				if r.raw.Len() > 0 {
					r.raw.WriteString("\n\n")
				}
				r.start = r.raw.Len()
			})
			return nil
		},
		Tools: loop.Watch{Doing: func(_, _ string, act tool.Act) {
			r.change(func(s *State) { s.Doing = r.talk.Mask(termsafe.Line(act.Title)) })
		}},
	}, told)
	add(mask.Flush())
	return err
}
