package home

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/home/logs"
	"ken/internal/memory"
	"ken/internal/memory/filelog"
	"ken/internal/place"
)

// Memory opens the engine over the log of this device, the replicas of others,
// and what the person let in of the repository that they are in. No line is read
// before it is needed. It is another engine when the person went to another
// repository, or when its files are not what they were.
func (a *Home) Memory() (*engine.Engine, error) {
	if _, err := a.Settings.Read(); err != nil {
		return nil, err
	}
	if err := filelog.LookMissing(context.Background(), logs.MemoryFiles(a.Settings.paths)); err != nil {
		a.Warn(fault.Once(err))
	}
	letIn, state := a.RepoLogs.LetIn()
	if a.engine != nil && state == a.letInState {
		return a.engine, nil
	}
	replicas, err := a.Logs.Replicas()
	if err != nil {
		a.Warn(err)
	}
	a.guests = make(map[string]bool)
	for _, r := range letIn {
		a.guests[r.Name] = true
	}
	a.engine = engine.New(engine.Options{
		Own: a.Logs.Own(), Replicas: append(replicas, letIn...), Mask: a.Keys.Mask, Now: a.o.Now,
		Queue: a.Logs.Queue(), Erased: a.Logs.Erased(), Wrote: a.wrote,
	})
	a.letInState = state
	a.index = a.newIndex(append(replicas, letIn...))
	a.tellLarge()
	return a.engine, nil
}

// largeMemory is from how many bytes on a log is a large one: some fifty thousand lines.
const largeMemory = 8 << 20

// tellLarge tells who asked for it that the memory is a large one.
func (a *Home) tellLarge() {
	if a.o.Large == nil {
		return
	}
	if fi, err := os.Stat(a.Settings.paths.Memory()); err == nil && fi.Size() >= largeMemory {
		a.o.Large()
	}
}

// State is the memory as it stands. Replicas that cannot be read are told, and
// cost their own items alone.
func (a *Home) State(ctx context.Context) (*memory.State, error) {
	e, err := a.Memory()
	if err != nil {
		return nil, err
	}
	s, err := e.State(ctx)
	if s != nil && err != nil {
		a.Warn(fault.Once(err))
		err = nil
	}
	return s, err
}

// TellProblems warns of what of the memory could not be read, in one line.
func (a *Home) TellProblems(s *memory.State) { a.Warn(a.problems(s.OwnLog(), s.Problems())) }

// problems are those of logs in one error; nil if there are none.
func (a *Home) problems(own string, all []memory.Problem) error {
	var where []string
	// What others wrote is theirs to mend; its lines were shown when it was let
	// in.
	problems := slices.DeleteFunc(slices.Clone(all), func(p memory.Problem) bool { return a.guests[p.Log] })
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
	text := fmt.Sprintf("%s: %d problems; the first: %s", a.Settings.paths.Memory(), len(problems), first)
	switch {
	case len(problems) == 1:
		text = fmt.Sprintf("%s: line %s: %s", a.Settings.paths.Memory(), lines, first)
	case len(where) > 0:
		text = fmt.Sprintf("%s: %d problems, on lines %s; the first: %s", a.Settings.paths.Memory(), len(problems), lines, first)
	}
	return errors.New(text)
}

// FullScope is the whole scope that a person means by arg, for what is to hold
// there or to be found: a form of place.Place.Resolve, with the scopes of the
// memory as those that are known. Errors are of the command line.
func (a *Home) FullScope(ctx context.Context, arg string) (string, error) {
	var known []string
	if strings.HasPrefix(arg, "repo:") && place.Identity(strings.TrimPrefix(arg, "repo:")) == "" {
		s, err := a.State(ctx)
		if err != nil {
			return "", err
		}
		for _, it := range s.Items() {
			known = append(known, string(it.Record.Scope))
		}
	}
	full, err := a.Here.Place().Resolve(arg, known...)
	if err != nil {
		return "", fault.Usagef("--scope %s: %w", arg, err)
	}
	return full, nil
}
