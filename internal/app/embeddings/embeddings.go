package embeddings

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"ken/internal/config"
	"ken/internal/embed"
	"ken/internal/embed/vectors"
	"ken/internal/llm"
)

// A Model is an embedding model, and where its vectors are kept.
type Model struct {
	Client *embed.Client
	Space  vectors.Space
	Path   string // of the file of vectors
	Config config.Embeddings
	From   string // where its key is from; "" if there is none
}

// A HalfError says that a setting is missing beside another.
type HalfError struct{ Set, Missing string }

func (e *HalfError) Error() string { return e.Set + " is set, and " + e.Missing + " is not" }

// Hint returns the next step.
func (e *HalfError) Hint() string { return "ken config set " + e.Missing + " VALUE" }

// New returns the model that the settings name; nil if they name none. path is
// the file of vectors, clock the machine's.
func New(cfg config.Config, getenv func(string) string, path string, clock func() time.Time) (*Model, error) {
	e := cfg.Embeddings
	switch {
	case e.BaseURL == "" && e.Model == "":
		return nil, nil //nolint:nilnil // that there is none is an answer
	case e.BaseURL == "":
		return nil, &HalfError{"embeddings.model", "embeddings.base_url"}
	case e.Model == "":
		return nil, &HalfError{"embeddings.base_url", "embeddings.model"}
	}
	target, err := llm.Endpoint(e.BaseURL, llm.PathEmbeddings)
	if err != nil {
		return nil, fmt.Errorf("embeddings: %w", err)
	}
	key, from, plain, err := keyFor(cfg, getenv, target.String())
	if err != nil {
		return nil, fmt.Errorf("embeddings: %w", err)
	}
	secret := llm.NewSecret(key)
	if plain {
		secret = secret.Open()
	}
	return &Model{
		Client: embed.New(embed.Endpoint{BaseURL: e.BaseURL, Model: e.Model, Key: secret, Connect: e.Timeout}, clock),
		Space:  vectors.SpaceOf(target.String(), e.Model), Path: path, Config: e, From: from,
	}, nil
}

// keyFor is the key for the address: that of a preset at the same address, else
// that of the environment, if OPENAI_BASE_URL is the same address. No key goes to
// a host that it was not configured for.
func keyFor(cfg config.Config, getenv func(string) string, target string) (key, from string, plain bool, err error) {
	same := func(base string) bool {
		u, err := llm.Endpoint(base, llm.PathEmbeddings)
		return err == nil && u.String() == target
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.Models)) {
		if m := cfg.Models[name]; same(m.BaseURL) && m.APIKeyEnv+m.APIKeyFile != "" {
			key, from, err = m.Key(getenv)
			return key, from, m.PlainHTTP, err
		}
	}
	if getenv("OPENAI_API_KEY") != "" && same(getenv("OPENAI_BASE_URL")) {
		key, from, err = config.Model{APIKeyEnv: "OPENAI_API_KEY"}.Key(getenv)
		return key, from, false, err
	}
	return "", "", false, nil
}
