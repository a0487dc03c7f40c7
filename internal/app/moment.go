package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"ken/internal/fault"
	"ken/internal/index/live"
	"ken/internal/memory"
	"ken/internal/recall"
	"ken/internal/session"
)

// A Moment is the memory as one question reads it. Its files are read when the first
// part of it is asked for; all later parts are of the same lines: the start-up block,
// what is activated, what is forgotten, and what a report quotes. A read that failed is
// tried again. It is not safe for concurrent use.
type Moment struct {
	view   *View
	at     time.Time     // when it was read
	memory *live.Memory  // nil: not read yet
	faults []error       // of replicas, and of lines that could not be read
	state  *memory.State // nil: not asked for
}

// Moment returns the memory as of now. Nothing is read yet.
func (v *View) Moment() *Moment { return &Moment{view: v} }

// View is whose moment it is.
func (m *Moment) View() *View { return m.view }

// read reads the memory, once.
func (m *Moment) read(ctx context.Context) error {
	a := m.view
	if m.memory != nil {
		return nil
	}
	if _, err := a.Memory.Engine(); err != nil {
		return err
	}
	m.at = a.o.Now()
	var err error
	a.Memory.ask(ctx, func() { m.memory, err = a.Memory.index.MemoryOf(ctx, m.state) })
	if m.memory == nil {
		return err
	}
	m.faults = []error{fault.Once(err), fault.Once(a.Memory.problems(m.memory.Own, m.memory.Problems))}
	return nil
}

// Memory returns the memory as far as questions ask for it, read from the index where that
// is good. Replicas that cannot be read are reported, and cost their own items alone; so is
// what of the logs could not be read.
func (m *Moment) Memory(ctx context.Context) (*live.Memory, error) {
	if err := m.read(ctx); err != nil {
		return nil, err
	}
	for _, err := range m.faults {
		m.view.Warn(err)
	}
	return m.memory, nil
}

// State returns the whole memory. Asked for first, what is asked for later is of it, where no
// index is kept. Replicas that cannot be read are reported, and cost their own items alone.
func (m *Moment) State(ctx context.Context) (*memory.State, error) {
	if m.state == nil {
		s, err := m.view.Memory.State(ctx)
		if err != nil {
			return nil, err
		}
		m.state = s
	}
	return m.state, nil
}

// Again has the memory read anew by whoever asks next: what was read turned out to be
// no longer what the files say.
func (m *Moment) Again() { m.memory, m.state = nil, nil }

// Invalidate is Again without the index, which said what the files do not.
func (m *Moment) Invalidate() {
	m.view.Memory.Invalidate()
	m.Again()
}

// Query returns what may stand in a prompt where the person stands, but for budgets. It
// needs Settings.
func (m *Moment) Query() recall.Query {
	a, here, at := m.view, m.view.Here.Place(), m.at
	if m.memory == nil {
		at = a.o.Now()
	}
	return recall.Query{
		Holds: func(scope memory.Scope) bool {
			return here.Holds(string(scope)) && (a.Meetings.familiar() || !strings.HasPrefix(string(scope), "repo:"))
		},
		Disabled: func(scope memory.Scope) bool { return a.Here.ScopeOff(string(scope)) },
		At:       at,
		LastUse:  a.Uses.book().Last,
		Uses:     a.Uses.book().Since(),
		Mask:     a.Keys.MaskText,
	}
}

// Background chooses the start-up block for where the person stands, and reports what of
// the memory could not be read.
func (m *Moment) Background(ctx context.Context) (recall.Choice, error) {
	choice, err := m.background(ctx)
	if errors.Is(err, errIndex) {
		m.Invalidate()
		choice, err = m.background(ctx)
	}
	return choice, err
}

// errIndex says that something could not be read by way of the index.
var errIndex = errors.New("read by way of the index")

func (m *Moment) background(ctx context.Context) (recall.Choice, error) {
	from, err := m.Memory(ctx)
	if err != nil {
		return recall.Choice{}, err
	}
	a, q := m.view, m.Query()
	q.Tokens = a.Settings.cfg.InjectBudget()
	q.Strategy = recall.Strategy(a.Settings.cfg.Memory.InjectStrategy)
	choice, err := recall.BackgroundOf(recall.Known{Corpora: from.Corpora, Item: from.Item, Find: from.Find, Used: a.Uses.book().Refs()}, q)
	if err != nil {
		err = fmt.Errorf("%w: %w", errIndex, err)
	}
	return choice, err
}

// Hides returns which turns of a conversation are not sent, because what they said was
// forgotten; nil: none. A fault of the memory is reported with the start-up block.
func (m *Moment) Hides(ctx context.Context, h session.Header) func(session.Turn) bool {
	if !m.view.Settings.MemoryOn() || m.read(ctx) != nil {
		return nil
	}
	return m.memory.Forgotten.Of(h)
}

// Outdated reports of a text whether it says what is so no more in a memory, since something
// took its place; nil if there is no such thing.
func Outdated(s *memory.State) func(text string) bool {
	if old := live.ReplacedIn(s); old.Len() > 0 {
		return old.In
	}
	return nil
}
