package home

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/place"
)

// Settings reads the configuration, once; every other part of a run needs it
// first. Errors ask for the exit code of wrong usage.
func (a *Home) Settings() (config.Config, error) {
	if a.cfg != nil {
		return *a.cfg, nil
	}
	a.fixPlaces()
	cfg, paths, err := config.Open(a.o.Getenv, a.UserDir(), a.o.ConfigFile())
	if own := paths.Own(); own != nil && paths != (config.Paths{}) {
		err = own // whatever else is wrong with what it says
	}
	if err != nil {
		var hinted interface{ Hint() string }
		if errors.As(err, &hinted) {
			return cfg, fault.New(fault.Usage, err).WithHint("%s", hinted.Hint())
		}
		return cfg, fault.New(fault.Usage, err)
	}
	a.cfg, a.paths = &cfg, paths
	a.Keys.Note(a.cfg, a.paths.MaskKey())
	for _, key := range cfg.Unused() {
		a.Warn(fmt.Errorf("setting %s is kept for later: nothing reads it yet", key))
	}
	a.tellMissing(cfg)
	return cfg, nil
}

// fixPlaces makes what the environment says of ken's places absolute, once, so that
// whoever is started from another directory means the same ones.
func (a *Home) fixPlaces() {
	for _, name := range []string{"KEN_HOME", "KEN_CONFIG"} {
		at := a.o.Getenv(name)
		if at == "" || filepath.IsAbs(at) || strings.HasPrefix(at, "~") || a.o.Dir() == "" || a.o.Setenv == nil {
			continue
		}
		if err := a.o.Setenv(name, filepath.Join(a.o.Dir(), at)); err != nil {
			a.Warn(fmt.Errorf("%s: %w", name, err))
		}
	}
}

// tellMissing warns of presets that settings name and do not have.
func (a *Home) tellMissing(cfg config.Config) {
	for _, p := range cfg.Missing() {
		a.Warn(errors.New(p.String() + "; going on without it"))
	}
}

// TakeSettings puts cfg in force in a running shell, but for what a conversation
// stands on that has begun: history, session, context, and of memory enabled and
// path.
func (a *Home) TakeSettings(cfg config.Config) {
	cfg.History, cfg.Session, cfg.Context = a.cfg.History, a.cfg.Session, a.cfg.Context
	cfg.Memory.Enabled, cfg.Memory.Path = a.cfg.Memory.Enabled, a.cfg.Memory.Path
	a.cfg = &cfg
	a.Keys.Note(a.cfg, a.paths.MaskKey())
}

// Paths say where files are. They are known once Settings returned without
// an error.
func (a *Home) Paths() config.Paths { return a.paths }

// Place is where the person stands, found once. What cannot be found out is
// told and counts as a plain directory.
func (a *Home) Place() place.Place {
	if a.here != nil {
		return *a.here
	}
	if a.o.Dir() == "" {
		a.here = &place.Place{}
		return *a.here
	}
	p, err := place.Finder{Home: a.UserDir(), Cache: a.paths.Places()}.Find(context.Background(), a.o.Dir())
	if err != nil {
		a.Warn(fmt.Errorf("find the repository of %s: %w", a.o.Dir(), err))
	}
	if p.Broken != nil {
		a.Warn(fault.Once(p.Broken))
	}
	a.here = &p
	return p
}

// PlaceOf is the place of another directory than the one where the person stands.
func (a *Home) PlaceOf(dir string) (place.Place, error) {
	if !filepath.IsAbs(dir) {
		return place.Place{}, fmt.Errorf("%s: want an absolute path", dir)
	}
	return place.Finder{Home: a.UserDir(), Cache: a.paths.Places()}.Find(context.Background(), dir)
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
	full, err := a.Place().Resolve(arg, known...)
	if err != nil {
		return "", fault.Usagef("--scope %s: %w", arg, err)
	}
	return full, nil
}
