package models

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/llm/catalog"
	"ken/internal/llm/discover"
)

// listWait is how long a person who names a model waits for the lists of the servers.
const listWait = 2 * time.Second

// listFresh is how long a list of a server is not asked for again by who wants to see it.
const listFresh = 5 * time.Minute

// Named returns the model that a person means by a name: a preset, PRESET/NAME for a model
// at the server of one, a name that a server of a preset lists, or what begins only one of
// these. Servers that said nothing lately are asked for their lists if the name is in none
// that is known, for some seconds at most. The error is a *Error, or that of the
// settings.
func (m *Set) Named(ctx context.Context, name string) (Preset, error) {
	name = strings.TrimSpace(name)
	p, err := m.Preset(name)
	if err == nil || name == "" {
		return p, err
	}
	if p, ok, err := m.listed(name); ok || err != nil {
		return p, err
	}
	m.askLists(ctx, 0, listWait)
	if ctx.Err() != nil {
		return Preset{}, context.Cause(ctx)
	}
	if p, ok, err := m.listed(name); ok || err != nil {
		return p, err
	}
	if p, ok, err := m.begins(name); ok || err != nil {
		return p, err
	}
	if m.Getenv("OPENAI_BASE_URL") != "" && len(m.configured()) == 0 && discover.IsName(name) {
		p := m.fromEnvironment(name) // the person named both
		p.From = FromEnvironment
		return m.keepNamed(p), nil
	}
	return Preset{}, m.unknown(name)
}

// configured are the presets that are there.
func (m *Set) configured() []Preset {
	list, err := m.Presets()
	if err != nil {
		return nil
	}
	return list
}

// at is a preset for another model of the same server. What was stated of the one model
// does not hold for the other.
func (p Preset) at(model string) Preset {
	if p.Model.Model == model {
		return p
	}
	base := cmp.Or(p.base, p.Name)
	if p.From != FromConfig {
		base = ""
	}
	other := p
	other.base, other.Name = base, model
	if base != "" {
		other.Name = base + "/" + model
	}
	other.Model.Model, other.ContextTokens, other.PriceIn, other.PriceOut = model, 0, 0, 0
	return other
}

// within is PRESET/NAME: the model NAME at the server of a preset of the settings.
func within(name string, cfg config.Config) (Preset, bool) {
	preset, ok := cfg.AtServerOf(name)
	if !ok || !discover.IsName(name[len(preset)+1:]) {
		return Preset{}, false
	}
	p := Preset{Name: preset, Model: cfg.Models[preset], From: FromConfig}
	return p.at(name[len(preset)+1:]), true
}

// Of returns the preset at whose server the model is, where none is for the model itself; else "".
func (p Preset) Of() string { return p.base }

// An Offer is a model that can be named.
type Offer struct {
	Preset
	Listed bool // its server lists it, and no preset is for it
}

// Offers returns the models that can be named: the presets, and behind them what the servers of
// these list. Servers that did not do so lately are asked, for so long at most; 0: nobody is
// asked.
func (m *Set) Offers(ctx context.Context, wait time.Duration) ([]Offer, error) {
	if wait > 0 {
		m.askLists(ctx, listFresh, wait)
	}
	list, err := m.inOrder()
	if err != nil {
		return nil, err
	}
	var offers []Offer
	seen := map[[2]string]bool{}
	for _, p := range list {
		offers = append(offers, Offer{Preset: p})
		seen[[2]string{plainBase(p.BaseURL), p.Model.Model}] = true
	}
	for _, p := range list {
		base := plainBase(p.BaseURL)
		for _, known := range m.knownOf(p).models {
			if at := [2]string{base, known.Name}; !seen[at] {
				seen[at] = true
				offers = append(offers, Offer{Preset: p.at(known.Name), Listed: true})
			}
		}
	}
	return offers, nil
}

// inOrder are the presets, the one in force first.
func (m *Set) inOrder() ([]Preset, error) {
	list, err := m.Presets()
	if err != nil {
		return nil, err
	}
	current, err := m.Preset("")
	if err != nil {
		return list, nil
	}
	list = slices.DeleteFunc(list, func(p Preset) bool { return p.Name == current.Name })
	return slices.Insert(list, 0, current), nil
}

// listed finds a name in what the servers listed: as it is, without the tag that
// stands for none, or without the vendor before it. ok is false where it is in no list.
func (m *Set) listed(name string) (p Preset, ok bool, err error) {
	offers, err := m.Offers(context.Background(), 0)
	if err != nil {
		return p, false, err
	}
	for _, same := range []func(string) bool{
		func(model string) bool { return model == name },
		func(model string) bool {
			return strings.EqualFold(model, name) || strings.EqualFold(model, name+":latest")
		},
		func(model string) bool { return strings.EqualFold(model[strings.LastIndexByte(model, '/')+1:], name) },
	} {
		for _, o := range offers {
			if same(o.Model.Model) {
				return m.keepNamed(o.Preset), true, nil
			}
		}
	}
	return p, false, nil
}

// begins finds the one model that a name begins. Several are an error.
func (m *Set) begins(name string) (p Preset, ok bool, err error) {
	offers, err := m.Offers(context.Background(), 0)
	if err != nil {
		return p, false, err
	}
	starts := func(s string) bool { return len(s) >= len(name) && strings.EqualFold(s[:len(name)], name) }
	var found []Offer
	var names []string // as they were begun
	for _, o := range offers {
		short := o.Model.Model[strings.LastIndexByte(o.Model.Model, '/')+1:]
		if !o.Listed && starts(o.Name) || starts(o.Model.Model) || starts(short) {
			found = append(found, o)
			names = append(names, o.Model.Model)
			if !o.Listed && starts(o.Name) {
				names[len(names)-1] = o.Name
			}
		}
	}
	presets := slices.DeleteFunc(slices.Clone(found), func(o Offer) bool { return o.Listed || !starts(o.Name) })
	if len(presets) == 1 {
		found = presets
	}
	switch len(found) {
	case 0:
		return p, false, nil
	case 1:
		m.Notify("%s stands for %s", name, found[0].Name)
		return m.keepNamed(found[0].Preset), true, nil
	}
	return p, false, &Error{text: fmt.Sprintf("model %q is one of several: %s", name, someOf(names)), hint: fault.Textf("write more of its name")}
}

// keepNamed remembers a model for which there is no table, so that it is found by its name.
func (m *Set) keepNamed(p Preset) Preset {
	if p.From == FromConfig {
		return p // its name says at which preset
	}
	if m.named == nil {
		m.named = make(map[string]Preset)
	}
	m.named[p.Name] = p
	return p
}

// someOf names the first of many models.
func someOf(names []string) string {
	const most = 8
	text := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return text
}

// unknown says that nobody knows a name.
func (m *Set) unknown(name string) *Error {
	offers, _ := m.Offers(context.Background(), 0) // it was read before
	var presets, listed []string
	for _, o := range offers {
		if !o.Listed {
			presets = append(presets, o.Name)
		} else {
			listed = append(listed, o.Model.Model)
		}
	}
	slices.Sort(presets)
	text := fmt.Sprintf("no preset %q: %s", name, cmp.Or(strings.Join(presets, ", "), "none is configured"))
	if len(listed) > 0 {
		text = fmt.Sprintf("no model %q: presets %s; listed %s", name, strings.Join(presets, ", "), someOf(listed))
	}
	e := &Error{text: text}
	switch near := config.Nearest(name, append(presets, listed...)); {
	case near != "":
		e.hint = fault.Textf("did you mean %s?", near)
	case len(presets) > 0 && offers[0].From == FromConfig && discover.IsName(name):
		e.hint = fault.Textf("a model that no server lists: %s/%s", cmp.Or(offers[0].base, offers[0].Name), name)
	}
	return e
}

// askLists asks the servers of all presets for their lists, at once: those that gave none within age.
// It returns when all have answered, or after wait. What does not come leaves what is known.
func (m *Set) askLists(ctx context.Context, age, wait time.Duration) {
	list, err := m.Presets()
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	type answer struct {
		p    Preset
		list []discover.Model
	}
	answers := make(chan answer, len(list))
	asked := map[string]bool{}
	for _, p := range list {
		base := plainBase(p.BaseURL)
		server, err := m.server(p)
		if since := m.Now().Sub(m.knownOf(p).at); err != nil || base == "" || asked[base] || since >= 0 && since < age {
			continue
		}
		asked[base] = true
		go func() {
			list, err := discover.Models(ctx, server)
			if err != nil {
				list = nil
			}
			answers <- answer{p, list}
		}()
	}
	for range asked {
		select {
		case a := <-answers:
			if a.list != nil {
				m.takeList(a.p, a.list)
			}
		case <-ctx.Done():
			return
		}
	}
}

// takeList keeps the list of a server.
func (m *Set) takeList(p Preset, list []discover.Model) {
	m.change(p, func(k *known) { k.take(list, m.Now()) })
}

// Short is what a model is called where there is little room: the preset, where the name of
// it is the person's own, else the model, without the vendor before it.
func (p Preset) Short() string {
	if p.From == FromConfig && p.base == "" && !givenName(p.Name) {
		return p.Name
	}
	return p.Model.Model[strings.LastIndexByte(p.Model.Model, '/')+1:]
}

// givenName reports whether a preset has a name that ken proposes.
func givenName(name string) bool {
	if name == "local" || name == "main" {
		return true
	}
	for v := range catalog.Vendors() {
		if v.Preset == name {
			return true
		}
	}
	return false
}
