package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/engine"
	"ken/internal/erase"
	"ken/internal/memory"
	"ken/internal/memory/erased"
	"ken/internal/memory/filelog"
	"ken/internal/recall"
	"ken/internal/review"
)

// Memory opens the engine over the log of this device and the replicas of
// others, once. No line is read before it is needed.
func (a *App) Memory() (*engine.Engine, error) {
	if a.engine != nil {
		return a.engine, nil
	}
	if _, err := a.Settings(); err != nil {
		return nil, err
	}
	host, _ := os.Hostname() // a host without a name is filelog's business
	own := filelog.Open(a.paths.Memory(), filelog.Options{
		DeviceFile: a.paths.Device(), Head: a.paths.Head(), Host: host, Now: a.Env.Now, Rand: rand.Reader,
	})
	replicas, err := a.replicas()
	if err != nil {
		a.Warn(err)
	}
	a.engine = engine.New(engine.Options{
		Own: own, Replicas: replicas, Mask: a.Mask, Now: a.Env.Now,
		Queue:  a.queue(),
		Erased: &erased.Journal{Path: a.paths.Erased(), Now: a.Env.Now},
	})
	return a.engine, nil
}

// queue is where proposals wait.
func (a *App) queue() *review.Log {
	return &review.Log{Path: a.paths.Review(), Dir: a.paths.Data, Now: a.Env.Now}
}

// Eraser is what erases from all files of this run.
func (a *App) Eraser() (*erase.Eraser, error) {
	e, err := a.Memory()
	if err != nil {
		return nil, err
	}
	logs := []erase.Log{{Path: a.paths.Memory(), Log: filelog.Open(a.paths.Memory(), filelog.Options{ReadOnly: true})}}
	replicas, err := a.replicas()
	if err != nil {
		return nil, err
	}
	for _, r := range replicas {
		l := erase.Log{Name: r.Name, Log: r.Log, Foreign: r.Ceiling.Rank() > 0}
		if f, ok := r.Log.(*filelog.Log); ok {
			l.Path = f.Path()
		}
		logs = append(logs, l)
	}
	project := ""
	if here := a.Place(); here.Repo != nil {
		project = filepath.Join(here.Repo.Top, ".ken")
	}
	return &erase.Eraser{
		Engine: e, Logs: logs, Sessions: a.SessionDir(), Queue: a.queue(), Paths: a.paths, Project: project, Mask: a.MaskText,
	}, nil
}

// replicas are the logs in peers/, by name.
func (a *App) replicas() ([]engine.Replica, error) {
	files, err := os.ReadDir(a.paths.Peers())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for the logs of other devices: %w", err)
	}
	var logs []engine.Replica
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), ".jsonl")
		if !ok {
			continue
		}
		log := filelog.Open(filepath.Join(a.paths.Peers(), f.Name()), filelog.Options{Replica: true})
		logs = append(logs, engine.Replica{Name: name, Log: log})
	}
	return logs, nil
}

// State is the memory as it stands. Replicas that cannot be read are told, and
// cost their own items alone.
func (a *App) State(ctx context.Context) (*memory.State, error) {
	e, err := a.Memory()
	if err != nil {
		return nil, err
	}
	s, err := e.State(ctx)
	if s == nil || err == nil {
		return s, err
	}
	if a.fault != err.Error() { // what was told is not told again by the same run
		a.fault = err.Error()
		a.Warn(err)
	}
	return s, nil
}

// TellProblems tells what of the memory could not be read, in one line, as a
// warning.
func (a *App) TellProblems(s *memory.State) {
	var where []string
	problems := s.Problems()
	for _, p := range problems {
		if p.Line > 0 {
			line := fmt.Sprint(p.Line)
			if p.Log != "" && p.Log != s.OwnLog() {
				line = p.Log + ":" + line
			}
			if !slices.Contains(where, line) {
				where = append(where, line)
			}
		}
	}
	if len(problems) == 0 {
		return
	}
	const most = 8
	lines := strings.Join(where[:min(len(where), most)], ", ")
	if len(where) > most {
		lines += ", ..."
	}
	first := problems[0].What
	switch {
	case len(problems) == 1:
		a.Say("ken: warning: ", fmt.Sprintf("%s: line %s: %s", a.paths.Memory(), lines, first))
	case len(where) > 0:
		a.Say("ken: warning: ", fmt.Sprintf("%s: %d problems, on lines %s; the first: %s", a.paths.Memory(), len(problems), lines, first))
	default:
		a.Say("ken: warning: ", fmt.Sprintf("%s: %d problems; the first: %s", a.paths.Memory(), len(problems), first))
	}
}

// MemoryOn reports whether this conversation reads memory; false before
// Settings.
func (a *App) MemoryOn() bool { return !a.Flags.NoMemory && a.cfg != nil && a.cfg.Memory.Enabled }

// Background chooses the start-up block for where the person stands, and tells
// what of the memory could not be read.
func (a *App) Background(ctx context.Context) (recall.Choice, error) {
	s, err := a.State(ctx)
	if err != nil {
		return recall.Choice{}, err
	}
	a.TellProblems(s)
	here := a.Place()
	disabled := make([]memory.Scope, 0, len(a.cfg.Memory.DisabledScopes))
	for _, d := range a.cfg.Memory.DisabledScopes {
		scope, err := here.Resolve(d)
		if err != nil {
			a.Warn(fmt.Errorf("memory.disabled_scopes: %w", err))
			continue
		}
		disabled = append(disabled, memory.Scope(scope))
	}
	return recall.Background(s.Items(), recall.Query{
		Holds:    func(scope memory.Scope) bool { return here.Holds(string(scope)) },
		Disabled: disabled,
		At:       a.Env.Now(),
		Tokens:   a.cfg.InjectBudget(),
		Strategy: recall.Strategy(a.cfg.Memory.InjectStrategy),
		Mask:     a.MaskText,
	}), nil
}
