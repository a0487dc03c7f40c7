package app

import (
	"context"
	"errors"
	"fmt"

	"ken/internal/config"
	"ken/internal/place"
	"ken/internal/redact"
)

// Settings reads the configuration, once; every other part of a run needs it
// first. Errors ask for the exit code of wrong usage.
func (a *App) Settings() (config.Config, error) {
	if a.cfg != nil {
		return *a.cfg, nil
	}
	cfg, paths, err := a.ReadSettings()
	if err != nil {
		var hinted interface{ Hint() string }
		if errors.As(err, &hinted) {
			return cfg, Fail(ExitUsage, err).Hint("%s", hinted.Hint())
		}
		return cfg, Fail(ExitUsage, err)
	}
	a.cfg, a.paths = &cfg, paths
	for _, key := range cfg.Unused() {
		a.Say("ken: warning: ", fmt.Sprintf("setting %s is kept for later: nothing reads it yet", key))
	}
	return cfg, nil
}

// ReadSettings reads the configuration as it is now and tells nothing. The paths
// are good also with an error, as far as they do not depend on the file.
func (a *App) ReadSettings() (config.Config, config.Paths, error) {
	return config.Open(a.Env.Getenv, a.home(), a.Flags.Config)
}

// TakeSettings puts those of cfg in force that can change while a conversation
// runs. Live says which they are.
func (a *App) TakeSettings(cfg config.Config) {
	if a.cfg == nil {
		return
	}
	old := *a.cfg
	cfg.History, cfg.Session, cfg.Context = old.History, old.Session, old.Context
	cfg.Memory.Enabled, cfg.Memory.Path = old.Memory.Enabled, old.Memory.Path
	a.cfg, a.clients = &cfg, nil
}

// Live reports whether TakeSettings puts a key, cut into its parts, in force;
// one that it does not waits for the next start.
func Live(key []string) bool {
	switch key[0] {
	case "history", "session", "context":
		return false
	case "memory":
		return len(key) > 1 && key[1] != "enabled" && key[1] != "path"
	}
	return true
}

// Paths say where files are. They are known once Settings returned without
// an error.
func (a *App) Paths() config.Paths { return a.paths }

// Place is where the person stands, found once. What cannot be found out is
// told and counts as a plain directory.
func (a *App) Place() place.Place {
	if a.here != nil {
		return *a.here
	}
	if a.Env.Dir == "" {
		a.here = &place.Place{}
		return *a.here
	}
	p, err := place.Finder{Home: a.home(), Cache: a.paths.Places()}.Find(context.Background(), a.Env.Dir)
	if err != nil {
		a.Warn(fmt.Errorf("find the repository of %s: %w", a.Env.Dir, err))
	}
	a.here = &p
	return p
}

// Mask replaces the secrets in a text. The person's key is read, and made, when
// the first secret is found, so that most runs never touch it.
func (a *App) Mask(s string) (string, []redact.Hit) {
	if a.masker == nil {
		if !redact.Contains(s) {
			return s, nil
		}
		key, err := redact.LoadKey(a.paths.MaskKey())
		if err != nil {
			a.Warn(fmt.Errorf("masked secrets get marks of this run only: %w", err))
		}
		a.masker = redact.New(key)
	}
	return a.masker.Mask(s)
}

// MaskText is the text as it may be written or sent.
func (a *App) MaskText(s string) string {
	s, _ = a.Mask(s)
	return s
}
