package app

import (
	"cmp"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"

	"ken/internal/config"
	"ken/internal/llm/discover"
)

// ErrNoModel says that there is no model to talk to, rather than a wrong one.
var ErrNoModel = errors.New("no model is configured")

// unchosen is an ErrNoModel with a more exact text.
type unchosen string

func (e unchosen) Error() string      { return string(e) }
func (unchosen) Is(target error) bool { return target == ErrNoModel }

// Where a preset is known from.
const (
	FromConfig      = "config"
	FromEnvironment = "environment"
	FromThisMachine = "found" // it runs here, and nothing else was configured
)

// A Preset is a model that can be asked.
type Preset struct {
	Name string // that of its table; one from elsewhere has that of its model
	config.Model
	From string
	// Sized says that its context_tokens were stated, and are not the default.
	Sized bool
}

// Host is where a preset is, host and port, without anything that could be a
// secret; "" if that is no address.
func (p Preset) Host() string {
	u, err := url.Parse(p.BaseURL)
	if err != nil {
		return ""
	}
	return u.Host
}

// keys are what the settings of a preset are called where it is no table of the
// file; nil for one that is.
func (p Preset) keys() map[string]string {
	if p.From == FromConfig {
		return nil
	}
	names := map[string]string{
		"base_url": "OPENAI_BASE_URL", "model": "KEN_MODEL", "api_key_env": "OPENAI_API_KEY", "api_key_file": "OPENAI_API_KEY",
	}
	if p.From == FromThisMachine {
		names["base_url"], names["model"] = p.Host(), p.Model.Model
	}
	for _, limit := range []string{"connect_timeout", "first_token_timeout", "idle_timeout"} {
		names[limit] = limit + " of a [models.NAME] in config.toml"
	}
	return names
}

// Presets are all models that can be asked without looking for more: the
// configured ones by name, then those of the environment and of this machine.
func (a *App) Presets() ([]Preset, error) {
	cfg, err := a.Settings()
	if err != nil {
		return nil, err
	}
	var list []Preset
	for _, name := range slices.Sorted(maps.Keys(cfg.Models)) {
		list = append(list, Preset{name, cfg.Models[name], FromConfig, cfg.GivenModel(name, "context_tokens")})
	}
	for _, p := range []*Preset{a.environment(), a.found} {
		if p != nil && !slices.ContainsFunc(list, func(q Preset) bool { return q.Name == p.Name }) {
			list = append(list, *p)
		}
	}
	return list, nil
}

// Preset finds the model called name, or the one in force if name is "": what was
// chosen in this run, else what the settings choose, else the only one there is,
// else that of the environment, else the one that was found on this machine. A
// key or an address alone is not enough to send text anywhere. Nothing is looked
// for and nothing sent.
func (a *App) Preset(name string) (Preset, error) {
	cfg, err := a.Settings()
	if err != nil {
		return Preset{}, err
	}
	list, err := a.Presets()
	if err != nil {
		return Preset{}, err
	}
	name = cmp.Or(name, a.chosen, cfg.Model)
	if name == "" {
		return a.unnamed(cfg, list)
	}
	var names []string
	for _, p := range list {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	if len(names) == 0 {
		return Preset{}, Usage("no preset %q: none is configured", name)
	}
	err2 := Usage("no preset %q: %s", name, strings.Join(names, ", "))
	if near := Near(name, names); len(near) > 0 {
		return Preset{}, err2.Hint("did you mean %s?", Or(near))
	}
	return Preset{}, err2
}

// unnamed is the preset in force where none was chosen.
func (a *App) unnamed(cfg config.Config, list []Preset) (Preset, error) {
	switch env := a.environment(); {
	case len(cfg.Models) == 1:
		return list[0], nil
	case env != nil:
		return *env, nil
	case len(cfg.Models) > 1:
		names := strings.Join(slices.Sorted(maps.Keys(cfg.Models)), ", ")
		return Preset{}, Fail(ExitModel, unchosen("no model is chosen: there are "+names)).
			Hint(`set model = "NAME" in config.toml, or choose one now: %s`, a.chooseVerb())
	case a.found != nil:
		return *a.found, nil
	}
	return Preset{}, a.noModel()
}

// chooseVerb is how a preset is chosen where the person is.
func (a *App) chooseVerb() string {
	if a.Shell != nil {
		return ":model NAME"
	}
	return "ken ask -m NAME"
}

// Choose makes the preset called name the one in force for this run.
func (a *App) Choose(name string) (Preset, error) {
	p, err := a.Preset(name)
	if err == nil {
		a.chosen = p.Name
	}
	return p, err
}

// environment is the preset made of the environment, named as its model is; nil
// if that names none.
func (a *App) environment() *Preset {
	model := a.Env.Getenv("KEN_MODEL")
	if model == "" {
		return nil
	}
	p := a.fromEnvironment(model)
	p.From = FromEnvironment
	p.BaseURL = cmp.Or(p.BaseURL, "https://api.openai.com/v1")
	return &p
}

// fromEnvironment is a preset of that model with the address and the key that the
// environment names.
func (a *App) fromEnvironment(model string) Preset {
	p := Preset{Name: model, Model: config.DefaultModel()}
	p.Model.Model, p.BaseURL = model, a.Env.Getenv("OPENAI_BASE_URL")
	if strings.TrimSpace(a.Env.Getenv("OPENAI_API_KEY")) != "" {
		p.APIKeyEnv = "OPENAI_API_KEY" // a server of one's own needs none
	}
	return p
}

// noModel says that there is nothing to talk to, and how to get it.
func (a *App) noModel() error {
	base := a.Env.Getenv("OPENAI_BASE_URL")
	switch {
	case base != "" && !discover.IsLocal(base):
		return Fail(ExitModel, unchosen("no model is configured: OPENAI_BASE_URL says where, and nothing says which")).
			Hint("set KEN_MODEL to the name of a model there; until then nothing is sent there")
	case a.missed != "":
		return Fail(ExitModel, ErrNoModel).Hint("%s; or set OPENAI_BASE_URL and KEN_MODEL", a.missed)
	}
	return Fail(ExitModel, ErrNoModel).
		Hint("start one here (Ollama, llama.cpp, LM Studio), or set OPENAI_BASE_URL and KEN_MODEL, or a [models.NAME] in config.toml")
}
