package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/place"
	"ken/internal/trust"
	"ken/internal/view"
)

// A RepoLog is a log that came with the repository where the person stands, and
// what they decided about it.
type RepoLog struct {
	trust.File
	trust.Standing
	// Refused is why it cannot be let in, whatever anybody says; nil if it can.
	Refused error
}

// Open reports whether there is something to decide about l.
func (l RepoLog) Open() bool { return l.Refused == nil && l.Verdict == "" }

// RepoLogs are the logs of the repository where the person stands, by name. It
// needs Settings.
func (a *App) RepoLogs(ctx context.Context) ([]RepoLog, error) {
	if !hasLogs(a.Env.Dir) {
		return nil, nil // most often; then nobody need know which repository it is
	}
	here := a.Place()
	if here.Repo == nil {
		return nil, nil
	}
	files, err := trust.Read(here.Repo.Top)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	book, err := trust.Load(a.paths.Trust())
	if err != nil {
		return nil, err
	}
	for _, bad := range book.Bad {
		a.warnOnce(bad)
	}
	taken, err := a.logNames(ctx)
	if err != nil {
		return nil, err
	}
	logs := make([]RepoLog, len(files))
	for i, f := range files {
		l := RepoLog{File: f, Standing: book.Of(f, func(scope string) bool { return here.Same(scope, here.RepoScope()) })}
		switch {
		case f.Bad != nil:
			l.Refused = f.Bad
		case taken[f.Log]:
			l.Refused = errors.New("one of your own logs has this name")
		case l.Clash != "":
			l.Refused = fmt.Errorf("a log of %s has this name: rename one", l.Clash)
		}
		logs[i] = l
	}
	return logs, nil
}

// hasLogs reports whether dir or a directory above it has a place for logs.
func hasLogs(dir string) bool {
	dir, err := filepath.EvalSymlinks(dir)
	for err == nil {
		if _, err := os.Lstat(filepath.Join(dir, ".ken", "memory")); err == nil {
			return true
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return false
}

// logNames are the names of the person's own logs.
func (a *App) logNames(ctx context.Context) (map[string]bool, error) {
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
func (a *App) letIn() (replicas []engine.Replica, state string) {
	logs, err := a.RepoLogs(context.Background())
	if err != nil {
		a.warnOnce(fmt.Errorf("this repository's memory is not used: %w", err))
		return nil, ""
	}
	scope := ""
	for _, l := range logs {
		if l.Refused != nil || l.Verdict != trust.Use {
			a.tellUnused(l)
			continue
		}
		scope = a.Place().RepoScope()
		replicas = append(replicas, engine.Replica{
			Name: l.Log, Log: l.File.Open(scope), Ceiling: memory.OriginExternal, By: l.By(),
		})
		state += l.Log + " " + l.SHA256 + "\n"
	}
	return replicas, scope + "\n" + state
}

// tellUnused says, where more was asked for, that a log counts for nothing. The
// shell asks instead.
func (a *App) tellUnused(l RepoLog) {
	if !a.Flags.Verbose || a.Shell != nil {
		return
	}
	var text string
	switch {
	case l.Refused != nil:
		text = fmt.Sprintf("not used: %s: %v", l.Path, l.Refused)
	case l.Verdict != "":
		text = fmt.Sprintf("not used: %s (you said %s)", l.Path, l.Verdict)
	default:
		text = fmt.Sprintf("not used: %s (to see it: %s)", l.Path, a.Verb("memory trust use "+l.Log))
	}
	if a.told[text] {
		return
	}
	if a.told == nil {
		a.told = make(map[string]bool)
	}
	a.told[text] = true
	a.Status("%s", text)
}

// ShowRepoLog shows the lines of a log that the person has not let in.
func (a *App) ShowRepoLog(l RepoLog) {
	lines := view.Count(len(l.New), "line")
	if l.Changed {
		a.Say("[ken] ", fmt.Sprintf("%s of this repository has changed: %s new, %d gone", l.Path, lines, l.Gone))
	} else {
		a.Say("[ken] ", fmt.Sprintf("this repository brings memory, %s: %s", l.Path, lines))
	}
	for _, line := range l.New {
		a.Say("", view.LogLine(line.Number, line.Text))
	}
}

// Decide keeps what the person said about logs of this repository.
func (a *App) Decide(ctx context.Context, v trust.Verdict, logs ...RepoLog) error {
	scope := a.Place().RepoScope()
	list := make([]trust.Decision, len(logs))
	for i, l := range logs {
		list[i] = l.File.Decide(scope, v, a.Env.Now())
	}
	if err := trust.Decide(ctx, a.paths.Trust(), list...); err != nil {
		return err
	}
	a.MemoryChanged()
	return nil
}

// ScopeOff reports whether the settings switch a scope off where the person
// stands: memory.disabled_scopes names it, a directory above it, or the end of
// the repository's name. It needs Settings.
func (a *App) ScopeOff(scope string) bool {
	if len(a.cfg.Memory.DisabledScopes) == 0 {
		return false // nobody need know where the person stands
	}
	here := a.Place()
	for _, d := range a.cfg.Memory.DisabledScopes {
		if id, ok := strings.CutPrefix(d, "repo:"); ok && place.Identity(id) != "" {
			d = "repo:" + place.Identity(id)
		}
		if here.Within(scope, d) {
			return true
		}
	}
	return false
}
