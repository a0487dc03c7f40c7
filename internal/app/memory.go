package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/app/keys"
	"ken/internal/app/logs"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/index/live"
	"ken/internal/memory"
	"ken/internal/place"
)

// Memory is what the person's own logs, those of their other devices and those that they
// let in say together: the engine over them, and the index of it. It is opened when it is
// first asked for.
type Memory struct {
	view          *View
	o             *terms
	settings      *Settings
	here          *Here
	keys          *keys.Ring
	logs          *logs.Logs
	repo          *logs.Repo
	conversations *Conversations

	engine     *engine.Engine
	index      *live.Index
	changed    func()          // is told of each change, before who subscribed
	letInState string          // what of the repository the engine stands on
	guests     map[string]bool // the names of the logs that were let in
}

// Engine opens the engine over the log of this device, the replicas of others,
// and what the person let in of the repository that they are in. No line is read
// before it is needed. It is another engine when the person went to another
// repository, or when its files are not what they were.
func (m *Memory) Engine() (*engine.Engine, error) {
	if dir := m.o.Dir; dir != "" && !filepath.IsAbs(dir) {
		return nil, fault.Usagef("%s: want an absolute path", dir)
	}
	if _, err := m.settings.Read(); err != nil {
		return nil, err
	}
	if err := m.logs.Missing(context.Background()); err != nil {
		m.o.Voice.Warn(fault.Once(err))
	}
	letIn, state := m.repo.LetIn()
	if m.engine != nil && state == m.letInState {
		return m.engine, nil
	}
	replicas, err := m.logs.Replicas()
	if err != nil {
		m.o.Voice.Warn(err)
	}
	others := append(replicas, letIn...)
	here := engine.Options{
		Own: m.logs.Own(), Replicas: others, Queue: m.logs.Queue(), Erased: m.logs.Erased(),
		Mask: m.keys.Mask, Now: m.o.Now, Wrote: m.wrote, Read: m.view.app.read,
		ReadOnly: m.settings.ReadOnly(), Relax: m.o.Relax, Seal: m.keys.Seal,
		Ruled: func(ctx context.Context, r engine.RulesChange) {
			m.o.Voice.Warn(fault.Once(m.logs.NoteRules(ctx, r, m.keys.Sums())))
		},
	}
	open := m.view.app.memory(m.settings.paths.Memory(), others, fmt.Sprintln(m.settings.ReadOnly(), state), func() *opened {
		all := here // nobody's: neither their clock nor their questions
		all.Now, all.Wrote, all.Relax, all.Ruled = m.view.app.o.Now, nil, nil, nil
		made := &opened{engine: engine.New(all), guests: make(map[string]bool)}
		for _, r := range letIn {
			made.guests[r.Name] = true
		}
		made.index = m.newIndex(made.engine, others, all.Now)
		return made
	})
	m.engine, m.index, m.guests, m.letInState = engine.Share(open.engine, here), open.index, open.guests, state
	if !m.o.At.IsZero() { // what is true then is not what is true now
		m.index = m.newIndex(open.engine, others, m.o.Now)
	}
	return m.engine, nil
}

// State returns the memory as it stands. Replicas that cannot be read are reported, and
// cost their own items alone.
func (m *Memory) State(ctx context.Context) (*memory.State, error) {
	e, err := m.Engine()
	if err != nil {
		return nil, err
	}
	s, err := e.State(ctx)
	if s != nil && err != nil {
		m.o.Voice.Warn(fault.Once(err))
		err = nil
	}
	return s, err
}

// TellProblems warns of what of the memory could not be read, in one line.
func (m *Memory) TellProblems(s *memory.State) { m.o.Voice.Warn(m.problems(s.OwnLog(), s.Problems())) }

// problems are those of logs in one error; nil if there are none.
func (m *Memory) problems(own string, all []memory.Problem) error {
	var where []string
	// What others wrote is theirs to mend; its lines were shown when it was let
	// in.
	problems := slices.DeleteFunc(slices.Clone(all), func(p memory.Problem) bool { return m.guests[p.Log] })
	for _, p := range problems {
		if p.Line > 0 {
			line := fmt.Sprint(p.Line)
			if p.Log != "" && p.Log != own {
				line = p.Log + ":" + line
			}
			if !slices.Contains(where, line) {
				where = append(where, line)
			}
		}
	}
	if len(problems) == 0 {
		return nil
	}
	const most = 8
	lines := strings.Join(where[:min(len(where), most)], ", ")
	if len(where) > most {
		lines += ", ..."
	}
	first := problems[0].What
	text := fmt.Sprintf("%s: %d problems; the first: %s", m.settings.paths.Memory(), len(problems), first)
	switch {
	case len(problems) == 1:
		text = fmt.Sprintf("%s: line %s: %s", m.settings.paths.Memory(), lines, first)
	case len(where) > 0:
		text = fmt.Sprintf("%s: %d problems, on lines %s; the first: %s", m.settings.paths.Memory(), len(problems), lines, first)
	}
	return fault.New(fault.Failure, errors.New(text)).WithHint("see all of it, and how to mend it: %s", fault.Command("doctor --files"))
}

// FullScope returns the whole scope that a person means by arg, for what is to hold
// there or to be found: a form of place.Place.Resolve, with the scopes of the
// memory as those that are known. Errors are of the command line.
func (m *Memory) FullScope(ctx context.Context, arg string) (string, error) {
	full, err := m.Resolve(ctx, arg)
	if err != nil {
		return "", fault.Usagef("--scope %s: %w", arg, err)
	}
	return full, nil
}

// Resolve is FullScope, with errors of no face.
func (m *Memory) Resolve(ctx context.Context, arg string) (string, error) {
	var known []string
	if strings.HasPrefix(arg, "repo:") && place.Identity(strings.TrimPrefix(arg, "repo:")) == "" {
		s, err := m.State(ctx)
		if err != nil {
			return "", err
		}
		for _, it := range s.Items() {
			known = append(known, string(it.Record.Scope))
		}
	}
	return m.here.Resolve(arg, known...)
}

// Changed notifies who wants to know that what is remembered, or where it may be used,
// is not what it was, so that what is made of it follows. The writer of the memory calls
// it by itself.
func (m *Memory) Changed() { m.wrote(true) }

// wrote is called by the writer of the memory.
func (m *Memory) wrote(changed bool) {
	if changed && m.changed != nil {
		m.changed()
	}
	m.view.app.tell(Event{Actor: m.o.Actor, Changed: changed, View: m.view})
}

// Writer returns the memory in the hands of who asks: it writes, proposes or refuses.
func (m *Memory) Writer() (*engine.Writer, error) {
	e, err := m.Engine()
	if err != nil {
		return nil, err
	}
	return e.As(m.o.Actor), nil
}
