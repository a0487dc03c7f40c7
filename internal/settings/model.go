package settings

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"ken/internal/config/edit"
	"ken/internal/fault"
	"ken/internal/llm/discover"
	"ken/internal/models"
	"ken/internal/view"
)

// A Model is the model that a person begins with. The zero Model is none.
type Model struct {
	Preset  string // what it is called in the settings
	BaseURL string
	Name    string // as its server calls it
	KeyEnv  string // the variable that holds its key; "": none is needed
}

// ListWait is how long a server has to list its models.
const ListWait = 2 * time.Second

// Complete fills in what is missing of a model of which the server is named by its address, or by the name of a vendor. A server
// that has only one is asked for its name. Errors: no server is named; it does not list its models, or several; a value is none
// that settings take.
func Complete(ctx context.Context, set *models.Set, given Model) (Model, error) {
	if given.BaseURL == "" {
		return Model{}, fault.Usagef("a model is at a server").WithHint("say which: --server ADDRESS")
	}
	given = Named(set, given)
	if given.Name == "" {
		ask, cancel := context.WithTimeout(ctx, ListWait)
		defer cancel()
		site, err := set.At(ask, given.BaseURL, given.KeyEnv)
		switch {
		case err != nil:
			return Model{}, fault.New(fault.Model, fmt.Errorf("%s does not list its models: %w", given.BaseURL, err)).
				WithHint("name one: --model NAME")
		case len(site.Models) != 1:
			return Model{}, fault.Usagef("%s lists %s: %s", site.Host, view.Count(len(site.Models), "model"), few(site.Models)).
				WithHint("name one: --model NAME")
		}
		given.Name = site.Models[0]
	}
	for _, v := range [][2]string{{"base_url", given.BaseURL}, {"model", given.Name}, {"api_key_env", given.KeyEnv}} {
		if p, wrong := Problem([]string{"models", "x", v[0]}, edit.Quote(v[1])); wrong {
			return Model{}, fault.Usagef("%s", p.What)
		}
	}
	return given, nil
}

// Named fills in what the name of a vendor stands for, and names the preset.
func Named(set *models.Set, m Model) Model {
	for _, v := range set.Vendors() {
		if m.BaseURL == v.Vendor || m.BaseURL == v.BaseURL {
			m.BaseURL, m.KeyEnv = v.BaseURL, cmp.Or(m.KeyEnv, v.KeyEnv)
			m.Preset = v.Vendor
		}
	}
	if m.Preset == "" {
		m.Preset = "main"
		if discover.IsLocal(m.BaseURL) {
			m.Preset = "local"
		}
	}
	return m
}

// few names the first of many.
func few(names []string) string {
	const most = 8
	text := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return cmp.Or(text, "none")
}
