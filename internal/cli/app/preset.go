package app

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"ken/internal/config"
	"ken/internal/llm"
)

// ErrNoModel says that no model is configured, rather than a wrong one.
var ErrNoModel = errors.New("no model is configured")

// errNoModel says that there is nothing to talk to, and how to get it.
func errNoModel() error {
	return Fail(ExitModel, ErrNoModel).
		Hint("set OPENAI_BASE_URL and KEN_MODEL (and OPENAI_API_KEY where it is asked for), or a [models.NAME] in config.toml")
}

// Preset finds the model to talk to: the one named, else the configured one,
// else the one in the environment, with the name under which it is known. A key
// or an address alone is not enough to send text anywhere. Nothing is sent yet.
func (a *App) Preset(name string) (*llm.Client, string, error) {
	cfg, err := a.Settings()
	if err != nil {
		return nil, "", err
	}
	name, m, err := a.chooseModel(cfg, name)
	if err != nil {
		return nil, "", err
	}
	if c := a.clients[name]; c != nil {
		return c, name, nil
	}
	key, _, err := m.Key(a.Env.Getenv)
	if err != nil {
		return nil, "", Failf(ExitModel, "preset %s: %w", name, err)
	}
	temperature := m.Temperature
	c := llm.New(llm.Preset{
		Name: name, BaseURL: m.BaseURL, Model: m.Model, APIKey: llm.NewSecret(key),
		Temperature: &temperature, MaxTokens: m.MaxTokens,
		ConnectTimeout: m.ConnectTimeout, FirstTokenTimeout: m.FirstTokenTimeout, IdleTimeout: m.IdleTimeout,
	}, llm.Options{OnWait: func(wait time.Duration, cause *llm.Error) {
		a.Status("%v; trying again in %s", cause, wait.Round(time.Second))
	}})
	if a.clients == nil {
		a.clients = make(map[string]*llm.Client)
	}
	a.clients[name] = c
	return c, name, nil
}

// chooseModel finds the settings of the model called name, or of the one in
// force if name is "".
func (a *App) chooseModel(cfg config.Config, name string) (string, config.Model, error) {
	if name == "" {
		name = cfg.Model
	}
	if name == "" && len(cfg.Models) == 1 {
		for only := range cfg.Models {
			name = only
		}
	}
	if m, ok := cfg.Models[name]; ok {
		return name, m, nil
	}
	fromEnv := a.Env.Getenv("KEN_MODEL")
	switch {
	case name != "":
		return "", config.Model{}, Usage("no preset %q: %s", name, presetNames(cfg))
	case fromEnv == "":
		return "", config.Model{}, errNoModel()
	}
	// One preset made of the environment, named as its model is.
	m := config.DefaultModel()
	m.Model, m.BaseURL = fromEnv, a.Env.Getenv("OPENAI_BASE_URL")
	if m.BaseURL == "" {
		m.BaseURL = "https://api.openai.com/v1"
	}
	if strings.TrimSpace(a.Env.Getenv("OPENAI_API_KEY")) != "" {
		m.APIKeyEnv = "OPENAI_API_KEY" // a server of one's own needs none
	}
	return m.Model, m, nil
}

// presetNames lists what there is to choose from.
func presetNames(cfg config.Config) string {
	if len(cfg.Models) == 0 {
		return "none is configured"
	}
	return strings.Join(slices.Sorted(maps.Keys(cfg.Models)), ", ")
}
