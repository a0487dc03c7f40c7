package models

import (
	"net/url"
	"time"

	"ken/internal/config"
	"ken/internal/llm"
)

// An Upstream is where requests for a model are passed on to, by whoever speaks for the model itself.
type Upstream struct {
	URL   *url.URL // of chat completions
	Model string   // as the server calls it
	Key   llm.Secret
	// Stranger says that the person did not name it: it gets nothing of the memory.
	Stranger                  bool
	Connect, FirstToken, Idle time.Duration // 0: no limit
}

// UpstreamOf returns where the model of m of exactly this name is asked; known is false if there is none. Nothing is sent. The
// error is that of the settings, of its key or of its address.
func UpstreamOf(m *Set, name string) (up Upstream, known bool, err error) {
	list, err := m.Presets()
	if err != nil {
		return up, false, err
	}
	for _, p := range list {
		if p.Name != name {
			continue
		}
		server, err := m.server(p)
		if err != nil {
			return up, true, err
		}
		at, err := llm.Endpoint(server.BaseURL, llm.PathChat)
		if err != nil {
			return up, true, err
		}
		return Upstream{
			URL: at, Model: p.Model.Model, Key: llm.NewSecret(server.Key), Stranger: m.stranger(p),
			Connect: p.ConnectTimeout, FirstToken: p.FirstTokenTimeout, Idle: p.IdleTimeout,
		}, true, nil
	}
	return up, false, nil
}

// A Secret is one that is not printed.
type Secret = llm.Secret

// UserSecret is the secret by which a program in front of a model signs who asks; the zero value if the settings name none. The
// error is that it is not where they say.
func UserSecret(s config.Serve, getenv func(string) string) (Secret, error) {
	text, err := s.UserSecret(getenv)
	return llm.NewSecret(text), err
}
