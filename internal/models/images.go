package models

import (
	"context"

	"ken/internal/llm/catalog"
	"ken/internal/llm/discover"
)

// TakesImages reports whether the preset called name takes pictures, as far as is known: what the settings say,
// else false once its server refused some in this run, else what its server said, else what is publicly known.
// Of others it is not known, and they are asked. Nobody is asked here.
func (m *Set) TakesImages(name string) bool {
	cfg, err := m.Settings()
	if err == nil && cfg.Has(name) && cfg.GivenModel(name, "images") {
		return cfg.Models[name].Images
	}
	if m.blind[name] {
		return false
	}
	p, err := m.Preset(name)
	if err != nil {
		return true
	}
	if said := m.saidOfImages(p); said != discover.Unsaid {
		return said == discover.Yes
	}
	row, _ := catalog.Find(p.BaseURL, p.Model.Model)
	return !row.Blind
}

// saidOfImages is what a server said of pictures.
func (m *Set) saidOfImages(p Preset) discover.Said {
	k := m.knownOf(p)
	if i := k.find(p.Model.Model); i >= 0 {
		return k.models[i].Images
	}
	return discover.Unsaid
}

// AskImages asks the server of the preset called name whether it takes pictures, for Moment at most: where nobody said it
// so far, and where it is to be refused for what was said in another run. It is for a question that has some.
func (m *Set) AskImages(ctx context.Context, name string) {
	cfg, err := m.Settings()
	p, perr := m.Preset(name)
	if err != nil || perr != nil || cfg.Has(name) && cfg.GivenModel(name, "images") || m.blind[name] || m.showed[name] ||
		m.saidOfImages(p) == discover.Yes {
		return
	}
	if row, ok := catalog.Find(p.BaseURL, p.Model.Model); ok && !row.Blind {
		return
	}
	if m.showed == nil {
		m.showed = make(map[string]bool)
	}
	m.showed[name] = true
	server, err := m.server(p)
	if err != nil {
		return // whoever asks the question says what is wrong
	}
	ctx, cancel := context.WithTimeout(ctx, Moment)
	defer cancel()
	var images discover.Said
	list, _ := discover.Models(ctx, server)
	listed := known{}
	listed.take(list, m.Now())
	if i := listed.find(p.Model.Model); i >= 0 {
		images = listed.models[i].Images
	}
	if images == discover.Unsaid && !catalog.IsVendor(p.BaseURL) {
		said, _ := discover.Describe(ctx, server, p.Model.Model)
		images = said.Images
	}
	if images == discover.Unsaid {
		return
	}
	m.change(p, func(k *known) { k.sees(p.Model.Model, images) })
}

// sees notes whether a model takes pictures.
func (k *known) sees(name string, images discover.Said) {
	if n := k.of(name); n != nil {
		n.Images = images
	}
}

// RefusedImages takes note that the server of the preset called name refused pictures.
func (m *Set) RefusedImages(name string) {
	if m.blind == nil {
		m.blind = make(map[string]bool)
	}
	m.blind[name] = true
}
