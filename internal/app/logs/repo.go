package logs

import (
	"context"
	"fmt"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/place"
	"ken/internal/trust"
)

// Repo is what the repository brings where the person stands: memory that came with it, and docs
// for agents. Both count for nothing until they let them in. All fields are required.
type Repo struct {
	Own   *Logs
	Place func() place.Place // where the person stands
	Dir   func() string      // the same, before anything is looked for; "" is nowhere
	Warn  func(error)
	Note  func(fault.Note)
	// Changed is called when what is let in is another.
	Changed func()
	// DocBytes is how much of all docs goes with a question, in bytes; 0: none is looked for.
	DocBytes func() int

	Skills *Skills // of the person and of the repository; nil: none is looked for

	told map[string]bool // which docs were reported
}

// Read finds the logs, by name, as they are now.
func (r *Repo) Read(ctx context.Context) ([]trust.Brought, error) {
	if r.Dir() == "" || !trust.Near(r.Dir()) {
		return nil, nil // most often
	}
	here := r.Place()
	if here.Repo == nil {
		return nil, nil
	}
	book, err := trust.Load(r.Own.Paths().Trust())
	if err != nil {
		return nil, err
	}
	for _, bad := range book.Bad {
		r.Warn(fault.Once(bad))
	}
	own, err := r.Own.names(ctx)
	if err != nil {
		return nil, err
	}
	return book.Logs(here.Repo.Top, func(scope string) bool { return here.Same(scope, here.RepoScope()) }, own)
}

// LetIn returns the logs of the repository that the person let in, as they are now,
// and a text that changes whenever they do.
func (r *Repo) LetIn() (replicas []engine.Replica, state string) {
	logs, err := r.Read(context.Background())
	if err != nil {
		r.Warn(fault.Once(fmt.Errorf("this repository's memory is not used: %w", err)))
		return nil, "\n" // as where nothing is let in
	}
	scope := ""
	for _, l := range logs {
		if !l.Used() {
			r.Note(Unused{l})
			continue
		}
		scope = r.Place().RepoScope()
		replicas = append(replicas, engine.Replica{
			Name: l.Log, Log: l.File.Open(scope), Ceiling: memory.OriginExternal, By: l.By(),
		})
		state += l.Log + " " + l.SHA256 + "\n"
	}
	return replicas, scope + "\n" + state
}

// An Unused is the event that a log of the repository counts for nothing.
type Unused struct{ trust.Brought }

// In implements fault.Note.
func (u Unused) In(verb func(fault.Command) string) string {
	if why := u.Brought.Unused(); why != "" {
		return "not used: " + u.Path + " (" + why + ")"
	}
	return "not used: " + u.Path + " (" + saying(u.Brought, verb) + ")"
}

// Decide keeps what the person said about logs of this repository.
func (r *Repo) Decide(ctx context.Context, v trust.Verdict, logs ...trust.Brought) error {
	scope := r.Place().RepoScope()
	list := make([]trust.Decision, len(logs))
	for i, l := range logs {
		list[i] = l.File.Decide(scope, v, r.Own.Now())
	}
	if r.Own.OnlyRead() {
		return engine.OnlyRead()
	}
	if err := trust.Decide(ctx, r.Own.Paths().Trust(), list...); err != nil {
		return err
	}
	r.Changed()
	return nil
}
