package app

import (
	"fmt"
	"maps"
	"slices"

	"ken/internal/config"
	"ken/internal/embed"
	"ken/internal/embed/vectors"
	"ken/internal/llm"
)

// A Sense is the model of meaning of a run, and where its vectors are kept.
type Sense struct {
	Client *embed.Client
	Space  vectors.Space
	Path   string // of the file of vectors
	Config config.Embeddings
	From   string // where its key is from; "" if there is none
}

// Sense is the model of meaning that is configured; nil if there is none, which
// is no error. Nothing is asked of it. It needs Settings.
func (a *App) Sense() (*Sense, error) {
	cfg, err := a.Settings()
	if err != nil {
		return nil, err
	}
	e := cfg.Embeddings
	if e.BaseURL == "" && e.Model == "" {
		return nil, nil //nolint:nilnil // that there is none is an answer
	}
	if a.sense != nil && a.sense.Config == e {
		return a.sense, nil
	}
	switch {
	case e.BaseURL == "":
		return nil, Failf(ExitFailure, "embeddings.model is set, and embeddings.base_url is not").Hint("%s", a.Verb("config set embeddings.base_url ADDRESS"))
	case e.Model == "":
		return nil, Failf(ExitFailure, "embeddings.base_url is set, and embeddings.model is not").Hint("%s", a.Verb("config set embeddings.model NAME"))
	}
	target, err := llm.Endpoint(e.BaseURL, llm.PathEmbeddings)
	if err != nil {
		return nil, fmt.Errorf("embeddings: %w", err)
	}
	key, from, err := a.senseKey(cfg, target.String())
	if err != nil {
		return nil, fmt.Errorf("embeddings: %w", err)
	}
	clock := a.Env.Clock
	if clock == nil {
		clock = a.Env.Now
	}
	a.sense = &Sense{
		Client: embed.New(embed.Endpoint{BaseURL: e.BaseURL, Model: e.Model, Key: llm.NewSecret(key), Connect: e.Timeout}, clock),
		Space:  vectors.SpaceOf(target.String(), e.Model), Path: a.paths.Vectors(), Config: e, From: from,
	}
	return a.sense, nil
}

// senseKey is the key for the address: that of a preset at the same address, else
// that of the environment, if OPENAI_BASE_URL is the same address. No key goes to
// a host that it was not configured for.
func (a *App) senseKey(cfg config.Config, target string) (key, from string, err error) {
	same := func(base string) bool {
		u, err := llm.Endpoint(base, llm.PathEmbeddings)
		return err == nil && u.String() == target
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.Models)) {
		if m := cfg.Models[name]; same(m.BaseURL) && m.APIKeyEnv+m.APIKeyFile != "" {
			return m.Key(a.Env.Getenv)
		}
	}
	if a.Env.Getenv("OPENAI_API_KEY") != "" && same(a.Env.Getenv("OPENAI_BASE_URL")) {
		return config.Model{APIKeyEnv: "OPENAI_API_KEY"}.Key(a.Env.Getenv)
	}
	return "", "", nil
}
