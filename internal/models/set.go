package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"ken/internal/config"
	"ken/internal/config/edit"
	"ken/internal/fault"
	"ken/internal/llm"
	"ken/internal/llm/discover"
	"ken/internal/view"
)

// ErrNone says that there is no model to talk to, rather than a wrong one.
var ErrNone = errors.New("no model is configured")

// A Error says that there is no such model, or none at all.
type Error struct {
	Missing bool // there is none to talk to: errors.Is finds ErrNone
	text    string
	hint    fault.Text
}

func (e *Error) Error() string { return e.text }

// Hint returns the next step, "" if none is known.
func (e *Error) Hint() string { return e.hint.String() }

// Next is Hint for a face that writes the commands of ken in its own way.
func (e *Error) Next() fault.Text { return e.hint }

// Is reports whether target is ErrNone, and that is so.
func (e *Error) Is(target error) bool { return e.Missing && target == ErrNone }

// Where a preset is known from.
const (
	FromConfig      = "config"
	FromEnvironment = "environment"
	FromThisMachine = "found" // it runs here, and nothing was configured
)

// A Preset is a model that can be asked.
type Preset struct {
	Name string // that of its table; one from elsewhere has that of its model
	config.Model
	From string
	base string // the preset at whose server it is, where there is no table for it; "": it has one
}

// Host returns where a preset is, host and port, without anything that could be a
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
	switch {
	case p.From == FromConfig && p.base != "": // they are those of the preset whose server it is at
		names := map[string]string{"model": "the name " + p.Model.Model}
		for _, key := range []string{
			"base_url", "api_key_env", "api_key_file", "plain_http", "connect_timeout", "first_token_timeout", "idle_timeout",
		} {
			names[key] = edit.Key("models", p.base, key)
		}
		return names
	case p.From == FromConfig:
		return nil
	}
	names := map[string]string{
		"base_url": "OPENAI_BASE_URL", "model": "KEN_MODEL", "api_key_env": "OPENAI_API_KEY", "api_key_file": "OPENAI_API_KEY",
	}
	if p.From == FromThisMachine {
		names["base_url"], names["model"] = p.Host(), p.Model.Model
	}
	names["plain_http"] = "plain_http in a [models.NAME] of config.toml"
	for _, limit := range []string{"connect_timeout", "first_token_timeout", "idle_timeout"} {
		names[limit] = limit + " of a [models.NAME] in config.toml"
	}
	return names
}

// A Set is the models that can be asked in one run, and which of them is in
// force. The zero value of what is not exported is right. It is not safe for
// concurrent use.
type Set struct {
	Settings func() (config.Config, error) // those in force
	Getenv   func(string) string
	Now      func() time.Time
	// Agreed reports whether the person agreed to use their memory with a model that was
	// found at a server (host:port); nil: with none.
	Agreed func(server, model string) bool
	// Local are the addresses (host:port) at which a model of this machine is looked
	// for; nil: where the usual servers listen.
	Local []string
	// Kept is the directory where what servers say of their models is kept, which may go at any
	// time; nil or "": nowhere.
	Kept func() string
	// Notify is called with what was done unasked, in one line, as fault.Textf takes it.
	Notify func(format string, args ...any)

	clients map[string]client    // by preset
	known   map[string]known     // by the address of a server
	silent  map[string]time.Time // when a server did not say what it was asked, by its address
	named   map[string]Preset    // models that were named and are in no table, by that name
	spent   view.Spending
	chosen  string  // the preset that was chosen in this run; "" if none was
	found   *Preset // the model of this machine; nil until one was looked for and found
	looked  time.Time
	missed  missed          // where the last look found nothing
	said    string          // what was found last was reported so
	refused map[refusal]int // what servers said of windows when they refused a request in this run
	blind   map[string]bool // presets whose server refused pictures in this run
	showed  map[string]bool // presets whose server was asked in this run whether they take pictures
	used    string          // the preset that answered without being chosen; "" if none did
	going   []Preset        // those that the newest question may go to
}

// Presets returns all models that can be asked without looking for more: the
// configured ones by name, then those of the environment and of this machine.
func (m *Set) Presets() ([]Preset, error) {
	cfg, err := m.Settings()
	if err != nil {
		return nil, err
	}
	var list []Preset
	for _, name := range slices.Sorted(maps.Keys(cfg.Models)) {
		list = append(list, Preset{Name: name, Model: cfg.Models[name], From: FromConfig})
	}
	for _, p := range []*Preset{m.environment(), m.found} {
		if p != nil && !slices.ContainsFunc(list, func(q Preset) bool { return q.Name == p.Name }) {
			list = append(list, *p)
		}
	}
	return list, nil
}

// Preset finds the model called name, or the one in force if name is "": what was
// chosen in this run, else what the settings choose, else the one that was used so far,
// else the first of the file, else that of the environment, else the one that was found
// on this machine. What the settings choose and do not have is not chosen. A
// key or an address alone is not enough to send text anywhere. Nothing is looked
// for and nothing sent. The error is a *Error, or that of the settings.
func (m *Set) Preset(name string) (Preset, error) {
	cfg, err := m.Settings()
	if err != nil {
		return Preset{}, err
	}
	list, err := m.Presets()
	if err != nil {
		return Preset{}, err
	}
	if name = cmp.Or(name, m.chosen); name == "" && cfg.Names(cfg.Model) {
		name = cfg.Model
	}
	if name == "" {
		return m.unnamed(cfg, list)
	}
	var names []string
	for _, p := range list {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	if p, ok := within(name, cfg); ok {
		return p, nil
	}
	if p, ok := m.named[name]; ok {
		return p, nil
	}
	e := &Error{text: fmt.Sprintf("no preset %q: %s", name, cmp.Or(strings.Join(names, ", "), "none is configured"))}
	if near := config.Nearest(name, names); near != "" {
		e.hint = fault.Textf("did you mean %s?", near)
	}
	return Preset{}, e
}

// unnamed is the preset in force where none was chosen. A second one that is added
// changes nothing for who uses the first.
func (m *Set) unnamed(cfg config.Config, list []Preset) (Preset, error) {
	first := cfg.FirstModel()
	if cfg.Has(m.used) {
		first = m.used
	}
	for _, p := range list {
		if p.From == FromConfig && p.Name == first {
			return p, nil
		}
	}
	switch env := m.environment(); {
	case env != nil:
		return *env, nil
	case m.found != nil:
		return *m.found, nil
	}
	return Preset{}, m.none()
}

// settle keeps to a preset that answers without being chosen, and says once that it
// is one of several.
func (m *Set) settle(p Preset) {
	cfg, err := m.Settings()
	if err != nil || p.From != FromConfig || m.chosen != "" || cfg.Names(cfg.Model) || m.used == p.Name {
		return
	}
	if m.used = p.Name; len(cfg.Models) > 1 {
		m.Notify("no model is chosen: using %s, the first of %s (choose: %s, or for this run %s)", p.Name,
			strings.Join(slices.Sorted(maps.Keys(cfg.Models)), ", "), fault.Command("config set model NAME"), fault.Command("ask -m NAME"))
	}
}

// none says that there is nothing to talk to, and how to get it.
func (m *Set) none() *Error {
	base := m.Getenv("OPENAI_BASE_URL")
	e := &Error{Missing: true, text: cmp.Or(m.missed.what, ErrNone.Error())}
	key, seen := m.Key()
	switch {
	case base != "" && !discover.IsLocal(base):
		e.text += ": OPENAI_BASE_URL says where, and nothing says which"
		e.hint = fault.Textf("set KEN_MODEL to the name of a model there; until then nothing is sent there")
	case seen:
		e.hint = key
	case m.missed.step != "":
		e.hint = fault.Textf("%s; or set OPENAI_BASE_URL and KEN_MODEL", m.missed.step)
	default:
		e.hint = fault.Textf("start one here (Ollama, llama.cpp, LM Studio), or set OPENAI_BASE_URL and KEN_MODEL, " +
			"or a [models.NAME] in config.toml")
	}
	return e
}

// List returns the models that can be named, as Offers does; the error is that of Preset
// where there is none.
func (m *Set) List(ctx context.Context, wait time.Duration) (view.ModelList, error) {
	offers, err := m.Offers(ctx, wait)
	if err != nil {
		return nil, err
	}
	current, err := m.Preset("")
	if len(offers) == 0 {
		return nil, err
	}
	views := make(view.ModelList, len(offers))
	for i, o := range offers {
		f := m.Facts(o.Preset)
		views[i] = view.ListedModel{
			Name: o.Name, Current: o.Name == current.Name, Model: o.Model.Model, Host: o.Host(),
			ContextTokens: f.Window, Assumed: f.WindowBy == ByNobody, From: o.From, Listed: o.Listed,
		}
	}
	return views, nil
}

// Choose makes the model that name means the one in force for this run, if it can be
// asked; see Named.
func (m *Set) Choose(ctx context.Context, name string) (Preset, error) {
	p, err := m.Named(ctx, name)
	if err != nil {
		return p, err
	}
	if _, err := m.Client(p); err != nil {
		return p, err
	}
	m.chosen, m.going = p.Name, nil
	return p, nil
}

// environment is the preset made of the environment, named as its model is; nil
// if that names none.
func (m *Set) environment() *Preset {
	model := m.Getenv("KEN_MODEL")
	if model == "" {
		return nil
	}
	p := m.fromEnvironment(model)
	p.From, p.BaseURL = FromEnvironment, cmp.Or(p.BaseURL, "https://api.openai.com/v1")
	return &p
}

// fromEnvironment is a preset of that model with the address and the key that the
// environment names.
func (m *Set) fromEnvironment(model string) Preset {
	p := Preset{Name: model, Model: config.DefaultModel()}
	p.Model.Model, p.BaseURL = model, m.Getenv("OPENAI_BASE_URL")
	if strings.TrimSpace(m.Getenv("OPENAI_API_KEY")) != "" {
		p.APIKeyEnv = "OPENAI_API_KEY" // a server of one's own needs none
	}
	return p
}

// Spend counts what an answer used, for Spent.
func (m *Set) Spend(ans llm.Answer) { m.spent.Add(ans.Usage, m.price(ans.Preset)) }

// Cost is what tokens come to that a preset of m sends and receives, in which currency; "" where its prices are not known.
func Cost(m *Set, preset string, u llm.Usage) (cost float64, currency string) {
	var one view.Spending
	one.Add(&u, m.price(preset))
	return one.Cost, one.Currency
}

func (m *Set) price(preset string) view.Price {
	p, err := m.Preset(preset)
	if err != nil {
		p = Preset{} // it was answered by one that is no more: its price is not known
	}
	f := m.Facts(p)
	return view.Price{In: f.In, Out: f.Out, Currency: f.Currency, By: f.PriceBy, At: day(f.PriceAt)}
}

// Spent returns what the answers of this run used.
func (m *Set) Spent() view.Spending { return m.spent }

// day is the day of a time as it is shown; "" for the zero time.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}
