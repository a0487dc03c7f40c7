package models

import (
	"cmp"
	"context"
	"errors"
	"time"

	"ken/internal/llm"
	"ken/internal/llm/discover"
	"ken/internal/session"
)

// Ask returns what answers a question: the model that name means, as Named has it, or the one in force
// if name is "". If nothing is configured a model is looked for on this machine
// first. Behind the one in force stand those of the setting fallback; one that
// was named stands alone, since who names a model (for its price, for where it
// is, to compare) does not want another one's answer in its place.
//
// The name is that of the preset that is asked first. The error is ErrNone
// where there is none, and a *StrangerError where the cargo is not for one of them.
func (m *Set) Ask(ctx context.Context, name string, what Cargo) (*llm.Chain, string, error) {
	if err := m.Look(ctx); err != nil {
		return nil, "", err
	}
	first, err := m.Named(ctx, name)
	if err != nil {
		return nil, "", err
	}
	list := []Preset{first}
	if name == "" {
		m.settle(first)
		cfg, err := m.Settings()
		if err != nil {
			return nil, "", err
		}
		seen := map[string]bool{first.Name: true}
		for _, next := range cfg.Fallback {
			if p, err := m.Preset(next); err == nil && !seen[next] { // names that are none were reported with the settings
				seen[next] = true
				list = append(list, p)
			}
		}
	}
	if len(list) == 1 { // what is wrong with it is reported before anything is recorded
		if _, err := m.Client(first); err != nil {
			return nil, "", err
		}
	}
	chain := &llm.Chain{Failed: m.failed}
	for _, p := range list {
		if err := m.mayGet(p, what); err != nil {
			return nil, "", err
		}
		chain.Links = append(chain.Links, llm.Link{Name: p.Name, Open: func() (*llm.Client, error) { return m.Client(p) }})
	}
	if what == QuestionAlone {
		m.going = list
	}
	return chain, first.Name, nil
}

// failed reports that a model did not answer, if another one is asked instead.
func (m *Set) failed(name string, err error, next string) {
	m.lost(name, err)
	if next == "" {
		return
	}
	reason := err.Error()
	var e *llm.Error
	var key *KeyError
	switch {
	case errors.As(err, &e):
		reason = e.Brief()
	case errors.As(err, &key):
		reason = key.Err.Error()
	}
	m.Notify("%s did not answer (%s); asking %s", name, reason, next)
}

// A KeyError says that the key of a preset is not to be had.
type KeyError struct {
	Preset string
	Err    error
}

func (e *KeyError) Error() string { return "preset " + e.Preset + ": " + e.Err.Error() }
func (e *KeyError) Unwrap() error { return e.Err }

// An exposedError says that a key would go to another machine in plain text.
type exposedError struct{ hint string }

func (*exposedError) Error() string  { return discover.ErrExposed.Error() }
func (*exposedError) Unwrap() error  { return discover.ErrExposed }
func (e *exposedError) Hint() string { return e.hint }

// A client is made of a preset and a key, and is of use as long as these are what
// the person wants: a key may be exported after the server asked for one.
type client struct {
	*llm.Client
	of  Preset
	key llm.Secret
}

// server is where a preset is asked, with its key if that may go there. The error is a
// *KeyError.
func (m *Set) server(p Preset) (discover.Server, error) {
	if m.stranger(p) {
		p.APIKeyEnv, p.APIKeyFile = "", "" // whoever listens there was not named by the person
	}
	key, _, err := p.Key(m.Getenv)
	if err != nil {
		return discover.Server{}, &KeyError{p.Name, err}
	}
	if !p.PlainHTTP && discover.Exposed(p.BaseURL, key != "") {
		setting := p.keys()["plain_http"]
		if p.From == FromConfig {
			setting = "models." + cmp.Or(p.base, p.Name) + ".plain_http"
		}
		return discover.Server{}, &KeyError{p.Name, &exposedError{llm.HintExposed(setting)}}
	}
	return discover.Server{BaseURL: p.BaseURL, Key: key, Plain: p.PlainHTTP}, nil
}

// mostAnswer is the most of an answer that is taken, in bytes: what the line of a
// session holds, even if all of it must be escaped and much of it masked.
const mostAnswer = session.MaxLine / 4

// Client returns the client of a preset, made once. Nothing is sent yet. The error is
// that of its key.
func (m *Set) Client(p Preset) (*llm.Client, error) {
	server, err := m.server(p)
	if err != nil {
		return nil, err
	}
	if m.stranger(p) {
		p.APIKeyEnv, p.APIKeyFile = "", ""
	}
	key := llm.NewSecret(server.Key)
	if p.PlainHTTP {
		key = key.Open()
	}
	if c := m.clients[p.Name]; c.Client != nil && c.of == p && c.key.Equal(key) {
		return c.Client, nil
	}
	temperature := p.Temperature
	c := llm.New(llm.Preset{
		Name: p.Name, BaseURL: p.BaseURL, Model: p.Model.Model, APIKey: key,
		Temperature: &temperature, MaxTokens: p.MaxTokens,
		ConnectTimeout: p.ConnectTimeout, FirstTokenTimeout: p.FirstTokenTimeout, IdleTimeout: p.IdleTimeout,
		Keys: p.keys(),
	}, llm.Options{
		MostAnswer: mostAnswer, Known: m.taught(p), Learned: func(names []string) { m.teach(p, names) },
		OnWait: func(wait time.Duration, cause *llm.Error) {
			m.Notify("%v; trying again in %s", cause, wait.Round(time.Second))
		},
	})
	if m.clients == nil {
		m.clients = make(map[string]client)
	}
	m.clients[p.Name] = client{c, p, key}
	return c, nil
}
