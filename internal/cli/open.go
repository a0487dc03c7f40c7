package cli

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
	"time"

	"ken/internal/config"
	"ken/internal/engine"
	"ken/internal/llm"
	"ken/internal/memory"
	"ken/internal/memory/filelog"
	"ken/internal/place"
	"ken/internal/recall"
	"ken/internal/redact"
)

// opened is what commands have opened so far; each part is opened when first
// asked for, so that `ken --version` reads nothing.
type opened struct {
	cfg    *config.Config
	paths  config.Paths
	here   *place.Place
	masker *redact.Masker
	engine *engine.Engine
	client map[string]*llm.Client
}

func (a *app) close() {}

// settings reads the configuration, once.
func (a *app) settings() (config.Config, error) {
	if a.cfg != nil {
		return *a.cfg, nil
	}
	cfg, paths, err := config.Open(a.env.Getenv, a.home(), a.flags.config)
	if err != nil {
		var hinted interface{ Hint() string }
		if errors.As(err, &hinted) {
			return cfg, (&exitError{code: exitUsage, err: err}).hint("%s", hinted.Hint())
		}
		return cfg, &exitError{code: exitUsage, err: err}
	}
	a.cfg, a.paths = &cfg, paths
	for _, key := range cfg.Unused() {
		a.say("ken: warning: ", fmt.Sprintf("setting %s is kept for later: nothing reads it yet", key))
	}
	return cfg, nil
}

// place is where the person stands, found once. What cannot be found out is
// told and counts as a plain directory.
func (a *app) place() place.Place {
	if a.here != nil {
		return *a.here
	}
	if a.env.Dir == "" {
		a.here = &place.Place{}
		return *a.here
	}
	p, err := place.Finder{Home: a.home(), Cache: a.paths.Places()}.Find(context.Background(), a.env.Dir)
	if err != nil {
		a.warn(fmt.Errorf("find the repository of %s: %w", a.env.Dir, err))
	}
	a.here = &p
	return p
}

// mask replaces the secrets in a text. The person's key is read, and made, when
// the first secret is found, so that most runs never touch it.
func (a *app) mask(s string) (string, []redact.Hit) {
	if a.masker == nil {
		if !redact.Contains(s) {
			return s, nil
		}
		key, err := redact.LoadKey(a.paths.MaskKey())
		if err != nil {
			a.warn(fmt.Errorf("masked secrets get marks of this run only: %w", err))
		}
		a.masker = redact.New(key)
	}
	return a.masker.Mask(s)
}

// maskText is the text as it may be written or sent.
func (a *app) maskText(s string) string {
	s, _ = a.mask(s)
	return s
}

// memory opens the engine over the log of this device and the replicas of
// others. Nothing is read before it is needed.
func (a *app) memory() (*engine.Engine, error) {
	if a.engine != nil {
		return a.engine, nil
	}
	if _, err := a.settings(); err != nil {
		return nil, err
	}
	host, _ := os.Hostname() // a host without a name is filelog's business
	own := filelog.Open(a.paths.Memory(), filelog.Options{
		DeviceFile: a.paths.Device(), Head: a.paths.Head(), Host: host, Now: a.env.Now, Rand: rand.Reader,
	})
	replicas, err := a.replicas()
	if err != nil {
		a.warn(err)
	}
	a.engine = engine.New(engine.Options{Own: own, Replicas: replicas, Mask: a.mask, Now: a.env.Now})
	return a.engine, nil
}

// replicas are the logs in peers/, by name.
func (a *app) replicas() ([]engine.Replica, error) {
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
		log := filelog.Open(filepath.Join(a.paths.Peers(), f.Name()), filelog.Options{ReadOnly: true})
		logs = append(logs, engine.Replica{Name: name, Log: log})
	}
	return logs, nil
}

// state is the memory as it stands. Replicas that cannot be read are told.
func (a *app) state(ctx context.Context) (*memory.State, error) {
	e, err := a.memory()
	if err != nil {
		return nil, err
	}
	s, err := e.State(ctx)
	if s != nil && err != nil {
		a.warn(err)
		err = nil
	}
	return s, err
}

// tellProblems tells what of the memory could not be read, in one line.
func (a *app) tellProblems(s *memory.State) {
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
		a.say("ken: warning: ", fmt.Sprintf("%s: line %s: %s", a.paths.Memory(), lines, first))
	case len(where) > 0:
		a.say("ken: warning: ", fmt.Sprintf("%s: %d problems, on lines %s; the first: %s", a.paths.Memory(), len(problems), lines, first))
	default:
		a.say("ken: warning: ", fmt.Sprintf("%s: %d problems; the first: %s", a.paths.Memory(), len(problems), first))
	}
}

// memoryOn reports whether this conversation reads memory.
func (a *app) memoryOn() bool { return !a.flags.noMemory && a.cfg != nil && a.cfg.Memory.Enabled }

// background chooses the start-up block for where the person stands.
func (a *app) background(ctx context.Context) (recall.Choice, error) {
	s, err := a.state(ctx)
	if err != nil {
		return recall.Choice{}, err
	}
	a.tellProblems(s)
	here := a.place()
	disabled := make([]memory.Scope, 0, len(a.cfg.Memory.DisabledScopes))
	for _, d := range a.cfg.Memory.DisabledScopes {
		scope, err := here.Resolve(d)
		if err != nil {
			a.warn(fmt.Errorf("memory.disabled_scopes: %w", err))
			continue
		}
		disabled = append(disabled, memory.Scope(scope))
	}
	return recall.Background(s.Items(), recall.Query{
		Holds:    func(scope memory.Scope) bool { return here.Holds(string(scope)) },
		Disabled: disabled,
		At:       a.env.Now(),
		Tokens:   a.cfg.InjectBudget(),
		Strategy: recall.Strategy(a.cfg.Memory.InjectStrategy),
	}), nil
}

// errNoModel says that there is nothing to talk to, and how to get it.
func errNoModel() error {
	return (&exitError{code: exitModel, err: errors.New("no model is configured")}).
		hint("set OPENAI_BASE_URL and KEN_MODEL (and OPENAI_API_KEY where it is asked for), or a [models.NAME] in config.toml")
}

// preset finds the model to talk to: the one named, the configured one, or the
// one in the environment. A key or an address alone is not enough to send
// text anywhere.
func (a *app) preset(name string) (*llm.Client, string, error) {
	cfg, err := a.settings()
	if err != nil {
		return nil, "", err
	}
	env := a.env.Getenv
	fromEnv := false
	if name == "" {
		name = cfg.Model
	}
	if name == "" && len(cfg.Models) == 1 {
		for only := range cfg.Models {
			name = only
		}
	}
	m, ok := cfg.Models[name]
	if !ok && name == "" && env("KEN_MODEL") != "" {
		// One preset made of the environment, named as its model is.
		m, fromEnv = config.DefaultModel(), true
		m.Model, m.BaseURL, m.APIKeyEnv = env("KEN_MODEL"), env("OPENAI_BASE_URL"), "OPENAI_API_KEY"
		if m.BaseURL == "" {
			m.BaseURL = "https://api.openai.com/v1"
		}
		name = m.Model
	} else if !ok && name != "" {
		return nil, "", usage("no preset %q: %s", name, strings.Join(presetNames(cfg), ", "))
	} else if !ok {
		return nil, "", errNoModel()
	}
	if c := a.client[name]; c != nil {
		return c, name, nil
	}
	key, _, err := m.Key(env)
	if err != nil && !fromEnv {
		return nil, "", &exitError{code: exitModel, err: fmt.Errorf("preset %s: %w", name, err)}
	}
	temperature := m.Temperature
	c := llm.New(llm.Preset{
		Name: name, BaseURL: m.BaseURL, Model: m.Model, APIKey: llm.NewSecret(key),
		Temperature: &temperature, MaxTokens: m.MaxTokens,
		ConnectTimeout: m.ConnectTimeout, FirstTokenTimeout: m.FirstTokenTimeout, IdleTimeout: m.IdleTimeout,
	}, llm.Options{OnWait: func(wait time.Duration, cause *llm.Error) {
		a.status("%v; trying again in %s", cause, wait.Round(time.Second))
	}})
	if a.client == nil {
		a.client = make(map[string]*llm.Client)
	}
	a.client[name] = c
	return c, name, nil
}

func presetNames(cfg config.Config) []string {
	names := make([]string, 0, len(cfg.Models))
	for n := range cfg.Models {
		names = append(names, n)
	}
	slices.Sort(names)
	if len(names) == 0 {
		return []string{"none is configured"}
	}
	return names
}
