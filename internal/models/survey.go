package models

import (
	"context"
	"strings"
	"sync"
	"time"

	"ken/internal/config"
	"ken/internal/llm"
	"ken/internal/llm/catalog"
	"ken/internal/llm/discover"
)

// A Site is a server at which models can be asked, and those that it lists.
type Site struct {
	BaseURL string
	Host    string
	Models  []string // those to talk to first
	KeyEnv  string   // the variable that holds its key; "": none is needed, as far as is known
	Vendor  string   // its name, if it is a vendor's: it was not asked
}

// Here asks the servers of this machine at their usual addresses for their lists, at once,
// without a key, and returns those that have models, in the order of the addresses; asked are
// these.
func (m *Set) Here(ctx context.Context, within time.Duration) (sites []Site, asked []string) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	asked = m.localAddresses()
	found := make([]Site, len(asked))
	var all sync.WaitGroup
	for i, at := range asked {
		all.Go(func() {
			base := "http://" + at + "/v1"
			list, err := discover.Models(ctx, discover.Server{BaseURL: base, Here: true})
			if err == nil {
				found[i] = Site{BaseURL: base, Host: at, Models: talkers(list)}
			}
		})
	}
	all.Wait()
	for _, s := range found {
		if len(s.Models) > 0 {
			sites = append(sites, s)
		}
	}
	return sites, asked
}

// Vendors returns those whose key is in the environment, with a model to begin with. None is
// asked.
func (m *Set) Vendors() []Site {
	var sites []Site
	for v := range catalog.Vendors() {
		if strings.TrimSpace(m.Getenv(v.Key)) != "" {
			sites = append(sites, Site{BaseURL: v.BaseURL, Host: hostAt(v.BaseURL), Models: []string{v.Model}, KeyEnv: v.Key, Vendor: v.Preset})
		}
	}
	return sites
}

// At asks a server that the person has named for its list, with the key in keyEnv, if that
// may go there. The error is that of the key, or of discover.Models.
func (m *Set) At(ctx context.Context, base, keyEnv string) (Site, error) {
	p := draft("", base, "", keyEnv)
	server, err := m.server(p)
	if err != nil {
		return Site{}, err
	}
	list, err := discover.Models(ctx, server)
	return Site{BaseURL: base, Host: p.Host(), Models: talkers(list), KeyEnv: keyEnv}, err
}

// Try asks a model for a word, with nothing of the person's, and returns what came. It is
// for who sets a preset up: it need not be there yet.
func (m *Set) Try(ctx context.Context, base, model, keyEnv string) (string, error) {
	c, err := m.Client(draft("a model that is tried", base, model, keyEnv))
	if err != nil {
		return "", err
	}
	ans, err := c.Stream(ctx, llm.Request{Messages: []llm.Message{{Role: "user", Content: "Say hello in one word."}}}, nil)
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(ans.Message.Content), nil
}

// draft is a preset that is not in the settings yet.
func draft(name, base, model, keyEnv string) Preset {
	p := Preset{Name: name, Model: config.DefaultModel(), From: FromConfig}
	p.BaseURL, p.Model.Model, p.APIKeyEnv = base, model, keyEnv
	return p
}

func hostAt(base string) string { return draft("", base, "", "").Host() }

// talkers are the names of models, those that are made for something else behind the others.
func talkers(list []discover.Model) []string {
	var first, last []string
	for _, m := range list {
		if discover.Answers(m.Name) {
			first = append(first, m.Name)
		} else {
			last = append(last, m.Name)
		}
	}
	return append(first, last...)
}
