package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/place"
	"ken/internal/repl"
	"ken/internal/termsafe"
	"ken/internal/trust"
	"ken/internal/view"
)

// RepoLogs are the logs of the repository where the person stands, by name. It
// needs Settings.
func (a *App) RepoLogs(ctx context.Context) ([]trust.Log, error) {
	if a.Env.Dir == "" || !trust.Near(a.Env.Dir) {
		return nil, nil // most often
	}
	here := a.Place()
	if here.Repo == nil {
		return nil, nil
	}
	book, err := trust.Load(a.paths.Trust())
	if err != nil {
		return nil, err
	}
	for _, bad := range book.Bad {
		a.WarnOnce(bad)
	}
	own, err := a.logNames(ctx)
	if err != nil {
		return nil, err
	}
	return book.Look(here.Repo.Top, func(scope string) bool { return here.Same(scope, here.RepoScope()) }, own)
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
		a.WarnOnce(fmt.Errorf("this repository's memory is not used: %w", err))
		return nil, ""
	}
	scope := ""
	for _, l := range logs {
		if !l.Used() {
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
func (a *App) tellUnused(l trust.Log) {
	if !a.Flags.Verbose || a.Shell != nil {
		return
	}
	why := l.Unused()
	if why == "" {
		why = "to see it: " + a.Verb("memory trust use "+l.Log)
	}
	a.once("not used: "+l.Path+" ("+why+")", func(text string) { a.Status("%s", text) })
}

// ShowRepoLog shows the lines of a log that the person has not let in, a screen at a
// time: what scrolled away unseen cannot be agreed to. seen is false if they left
// before the end.
func (a *App) ShowRepoLog(ctx context.Context, l trust.Log) (seen bool, err error) {
	lines := view.Count(len(l.New), "line")
	if l.Changed {
		a.Say("[ken] ", fmt.Sprintf("%s of this repository has changed: %s new, %d gone", l.Path, lines, l.Gone))
	} else {
		a.Say("[ken] ", fmt.Sprintf("this repository brings memory, %s: %s", l.Path, lines))
	}
	var text []string
	for _, line := range l.New {
		text = append(text, strings.Split(view.LogLine(line.Number, line.Text), "\n")...)
	}
	return a.Pages(ctx, text, func(line string) error {
		a.Say("", line)
		return nil
	})
}

// Pages shows lines a screen at a time with show, and asks before each next screen. seen
// is false if the person left before the last one. What fits on a screen is shown as it
// is, and so is everything where nobody can be asked.
func (a *App) Pages(ctx context.Context, lines []string, show func(string) error) (seen bool, err error) {
	wide, high := a.Size()
	pages := paged(lines, wide, high)
	for i, page := range pages {
		for _, line := range page {
			if err := show(line); err != nil {
				return false, err
			}
		}
		if i+1 == len(pages) {
			break
		}
		key, err := a.Key(ctx, fmt.Sprintf("page %d of %d: Enter goes on, q leaves > ", i+1, len(pages)), "q")
		if errors.Is(err, repl.ErrNoTerminal) {
			continue
		}
		if err != nil || key == 'q' {
			return false, err
		}
	}
	return true, nil
}

// paged cuts lines into what fits on a screen together with a question of two rows. A
// line that is longer than a screen goes over several.
func paged(lines []string, wide, high int) (pages [][]string) {
	room := max(high-3, 1)
	var page []string
	left := room
	turn := func() {
		if len(page) > 0 {
			pages = append(pages, page)
		}
		page, left = nil, room
	}
	for _, line := range lines {
		for _, row := range termsafe.Rows(line, wide) {
			if left == 0 {
				turn()
			}
			page = append(page, row)
			left--
		}
	}
	turn()
	if len(pages) <= 1 {
		return [][]string{lines}
	}
	return pages
}

// Decide keeps what the person said about logs of this repository.
func (a *App) Decide(ctx context.Context, v trust.Verdict, logs ...trust.Log) error {
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

// scopesOff reports whether the settings switch any scope off. It needs Settings.
func (a *App) scopesOff() bool { return len(a.cfg.Memory.DisabledScopes) > 0 }

// ScopeOff reports whether the settings switch a scope off where the person
// stands: memory.disabled_scopes names it, a directory above it, or the end of the
// repository's name. It needs Settings.
func (a *App) ScopeOff(scope string) bool {
	return a.scopesOff() && a.OffHere()(scope) // else nobody need know where the person stands
}

// OffHere is ScopeOff where the person stands now, for whoever works beside them.
func (a *App) OffHere() func(scope string) bool {
	if !a.scopesOff() {
		return func(string) bool { return false }
	}
	here, off := a.Place(), slices.Clone(a.cfg.Memory.DisabledScopes)
	for i, d := range off {
		if id, ok := strings.CutPrefix(d, "repo:"); ok && place.Identity(id) != "" {
			off[i] = "repo:" + place.Identity(id)
		}
	}
	return func(scope string) bool {
		return slices.ContainsFunc(off, func(d string) bool { return here.Within(scope, d) })
	}
}
