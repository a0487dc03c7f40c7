package app

import (
	"context"
	"errors"
	"strings"
	"time"

	"ken/internal/llm"
	"ken/internal/view"
)

// Model is what answers a question: the preset called name, or the one in force
// if name is "". If nothing is configured a model is looked for on this machine
// first. Behind the one in force stand those of the setting fallback; one that
// was named stands alone, since who names a model (for its price, for where it
// is, to compare) does not want another one's answer in its place.
//
// The name is that of the preset that is asked first. The error is ErrNoModel
// where there is none.
func (a *App) Model(ctx context.Context, name string) (*llm.Chain, string, error) {
	if err := a.Look(ctx); err != nil {
		return nil, "", err
	}
	first, err := a.Preset(name)
	if err != nil {
		return nil, "", err
	}
	list := []Preset{first}
	if name == "" {
		cfg, err := a.Settings()
		if err != nil {
			return nil, "", err
		}
		seen := map[string]bool{first.Name: true}
		for _, next := range cfg.Fallback {
			if m, ok := cfg.Models[next]; ok && !seen[next] {
				seen[next] = true
				list = append(list, Preset{Name: next, Model: m, From: FromConfig})
			}
		}
	}
	if len(list) == 1 { // what is wrong with it is told before anything is recorded
		if _, err := a.Client(first); err != nil {
			return nil, "", err
		}
	}
	chain := &llm.Chain{Failed: a.failed}
	for _, p := range list {
		chain.Links = append(chain.Links, llm.Link{Name: p.Name, Open: func() (*llm.Client, error) { return a.Client(p) }})
	}
	return chain, first.Name, nil
}

// failed tells that a model did not answer, if another one is asked instead.
func (a *App) failed(name string, err error, next string) {
	a.lost(name, err)
	if next == "" {
		return
	}
	reason := strings.TrimPrefix(err.Error(), "preset "+name+": ")
	if e := (*llm.Error)(nil); errors.As(err, &e) {
		reason = e.Brief()
	}
	a.Status("%s did not answer (%s); asking %s", name, reason, next)
}

// A client is made of a preset and a key, and is of use as long as these are what
// the person wants: a key may be exported after the server asked for one.
type client struct {
	*llm.Client
	of  Preset
	key llm.Secret
}

// Client is the client of a preset, made once. Nothing is sent yet. The error is
// that of its key.
func (a *App) Client(p Preset) (*llm.Client, error) {
	text, _, err := p.Key(a.Env.Getenv)
	if err != nil {
		return nil, Failf(ExitModel, "preset %s: %w", p.Name, err)
	}
	key := llm.NewSecret(text)
	if c := a.clients[p.Name]; c.Client != nil && c.of == p && c.key.Equal(key) {
		return c.Client, nil
	}
	temperature := p.Temperature
	c := llm.New(llm.Preset{
		Name: p.Name, BaseURL: p.BaseURL, Model: p.Model.Model, APIKey: key,
		Temperature: &temperature, MaxTokens: p.MaxTokens,
		ConnectTimeout: p.ConnectTimeout, FirstTokenTimeout: p.FirstTokenTimeout, IdleTimeout: p.IdleTimeout,
		Keys: p.keys(),
	}, llm.Options{OnWait: func(wait time.Duration, cause *llm.Error) {
		a.Status("%v; trying again in %s", cause, wait.Round(time.Second))
	}})
	if a.clients == nil {
		a.clients = make(map[string]client)
	}
	a.clients[p.Name] = client{c, p, key}
	return c, nil
}

// Spend counts what an answer used, for Spent.
func (a *App) Spend(ans llm.Answer) {
	p, err := a.Preset(ans.Preset)
	if err != nil {
		p = Preset{} // it was answered by one that is no more: its price is not known
	}
	a.spent.Add(ans.Usage, p.PriceIn, p.PriceOut)
}

// Spent is what the answers of this run used.
func (a *App) Spent() view.Spending { return a.spent }
