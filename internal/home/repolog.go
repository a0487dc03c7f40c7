package home

import (
	"context"
	"fmt"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/trust"
)

// RepoLogs are the logs of the repository where the person stands, by name. It
// needs Settings.
func (a *Home) RepoLogs(ctx context.Context) ([]trust.Log, error) {
	if a.o.Dir() == "" || !trust.Near(a.o.Dir()) {
		return nil, nil // most often
	}
	here := a.Here.Place()
	if here.Repo == nil {
		return nil, nil
	}
	book, err := trust.Load(a.Settings.paths.Trust())
	if err != nil {
		return nil, err
	}
	for _, bad := range book.Bad {
		a.Warn(fault.Once(bad))
	}
	own, err := a.logNames(ctx)
	if err != nil {
		return nil, err
	}
	return book.Look(here.Repo.Top, func(scope string) bool { return here.Same(scope, here.RepoScope()) }, own)
}

// logNames are the names of the person's own logs.
func (a *Home) logNames(ctx context.Context) (map[string]bool, error) {
	names := make(map[string]bool)
	tip, err := a.ownLog().Tip(ctx)
	if err != nil {
		return nil, err
	}
	names[tip.Name] = true
	peers, err := a.replicas()
	for _, p := range peers {
		names[p.Name] = true
	}
	return names, err
}

// letIn are the logs of the repository that the person let in, as they are now,
// and a text that changes whenever they do.
func (a *Home) letIn() (replicas []engine.Replica, state string) {
	logs, err := a.RepoLogs(context.Background())
	if err != nil {
		a.Warn(fault.Once(fmt.Errorf("this repository's memory is not used: %w", err)))
		return nil, ""
	}
	scope := ""
	for _, l := range logs {
		if !l.Used() {
			a.Note(UnusedLog{l})
			continue
		}
		scope = a.Here.Place().RepoScope()
		replicas = append(replicas, engine.Replica{
			Name: l.Log, Log: l.File.Open(scope), Ceiling: memory.OriginExternal, By: l.By(),
		})
		state += l.Log + " " + l.SHA256 + "\n"
	}
	return replicas, scope + "\n" + state
}

// An UnusedLog is the event that a log of the repository counts for nothing.
type UnusedLog struct{ trust.Log }

// In implements fault.Note.
func (u UnusedLog) In(verb func(fault.Command) string) string {
	if why := u.Unused(); why != "" {
		return "not used: " + u.Path + " (" + why + ")"
	}
	return fault.Textf("not used: %s (to see it: %s)", u.Path, fault.Command("memory trust use "+u.Log.Log)).In(verb)
}

// Decide keeps what the person said about logs of this repository.
func (a *Home) Decide(ctx context.Context, v trust.Verdict, logs ...trust.Log) error {
	scope := a.Here.Place().RepoScope()
	list := make([]trust.Decision, len(logs))
	for i, l := range logs {
		list[i] = l.File.Decide(scope, v, a.o.Now())
	}
	if err := trust.Decide(ctx, a.Settings.paths.Trust(), list...); err != nil {
		return err
	}
	a.MemoryChanged()
	return nil
}
