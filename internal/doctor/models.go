package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"

	"ken/internal/config"
	"ken/internal/config/edit"
	"ken/internal/llm/discover"
	"ken/internal/models"
	"ken/internal/view"
)

// modelWait is how long a doctor waits for the server of a model.
const modelWait = 2 * time.Second

// models looks at the model in force and at those that stand in for it.
func (d *doctor) models(ctx context.Context, cfg config.Config) {
	set := d.h.Models()
	if !d.o.Offline {
		if err := set.Look(ctx); err != nil {
			return // the person wants no more
		}
	}
	p, err := set.Preset("")
	if err != nil {
		next := d.person.Verb("config set model NAME")
		if len(cfg.Models) == 0 {
			next = d.person.Verb("config init") + " asks for one; or " + d.person.NextStep(err)
		}
		d.gap("model", err.Error(), next)
		return
	}
	d.model(ctx, "model", p)
	for _, name := range cfg.Fallback {
		if next, err := set.Preset(name); err == nil && name != p.Name { // names that are none were told with the settings
			d.model(ctx, "fallback", next)
		}
	}
}

// model looks at one preset: its key, and whether its server has the model.
func (d *doctor) model(ctx context.Context, what string, p models.Preset) {
	name, m := p.Name, p.Model
	key, from, err := m.Key(d.person.Getenv)
	if err != nil {
		d.gap(what, name+": "+err.Error(), cmp.Or(d.person.NextStep(err), "mend the file, or name another one"))
		return
	}
	if from = "key from " + from; key == "" {
		from = "no key"
	}
	set := func(key, value, variable string) string {
		if p.From != models.FromConfig {
			return "set " + variable
		}
		if at := p.Of(); at != "" && key == "model" {
			return d.person.Verb("config set model " + at + "/" + value)
		}
		return d.person.Verb("config set " + edit.Key("models", cmp.Or(p.Of(), name), key) + " " + value)
	}
	elsewhere := "start the server, or " + set("base_url", "ADDRESS", "OPENAI_BASE_URL")
	switch {
	case m.BaseURL == "":
		d.gap(what, name+": no address", set("base_url", "ADDRESS", "OPENAI_BASE_URL"))
		return
	case m.Model == "":
		d.gap(what, name+": no model is named", set("model", "NAME", "KEN_MODEL"))
		return
	case d.o.Offline:
		d.note(what, fmt.Sprintf("%s: %s, %s; its server was not asked", name, m.Model, from), "")
		return
	case p.From == models.FromThisMachine:
		d.ok(what, "%s at %s, found on this machine", name, p.Host())
		return
	}
	ask, cancel := context.WithTimeout(ctx, modelWait)
	defer cancel()
	found, err := discover.Models(ask, discover.Server{BaseURL: m.BaseURL, Key: key, Plain: m.PlainHTTP})
	list := make([]string, len(found))
	for i := range found {
		list[i] = found[i].Name
	}
	at := "the server at " + p.Host()
	var errno syscall.Errno
	switch {
	case errors.Is(err, discover.ErrExposed):
		d.gap(what, fmt.Sprintf("%s: %s (%s, %s)", name, discover.ErrExposed, p.Host(), from),
			"use an https:// address, or "+set("plain_http", "true", "plain_http in a [models.NAME]"))
	case errors.Is(err, discover.ErrKey):
		d.gap(what, fmt.Sprintf("%s: %s refuses the key (%s)", name, at, from), set("api_key_env", "VARIABLE", "OPENAI_API_KEY"))
	case errors.Is(err, discover.ErrNoList):
		d.note(what, fmt.Sprintf("%s: %s answers, but does not list its models", name, at), "try it: "+d.person.Verb("ask hello"))
	case errors.Is(err, context.DeadlineExceeded):
		d.gap(what, fmt.Sprintf("%s: %s gave no answer within %s", name, at, modelWait), elsewhere)
	case errors.As(err, &errno):
		d.gap(what, fmt.Sprintf("%s: %s: %v", name, at, errno), elsewhere)
	case err != nil:
		d.gap(what, fmt.Sprintf("%s: %s: %v", name, at, errors.Unwrap(err)), elsewhere)
	case !slices.Contains(list, m.Model) && !slices.Contains(list, m.Model+":latest"):
		const most = 5
		has := strings.Join(list[:min(len(list), most)], ", ")
		if len(list) > most {
			has += ", ..."
		}
		d.gap(what, fmt.Sprintf("%s: %s has no %s; it has %s", name, at, m.Model, cmp.Or(has, "none")), set("model", "NAME", "KEN_MODEL"))
	default:
		f := d.h.Models().Study(ask, p, modelWait)
		d.ok(what, "%s: %s at %s, %s; %s", name, m.Model, p.Host(), from, windowSays(f))
	}
}

// windowSays says how much a model reads, and how that is known.
func windowSays(f models.Facts) string {
	size := "reads " + view.Thousands(f.Window, "token")
	switch f.WindowBy {
	case models.ByServer:
		return size + ", as its server says"
	case models.ByTable:
		return size + ", as its vendor said on " + f.WindowAt.UTC().Format(time.DateOnly)
	case models.ByGuess:
		return size + " as a rule, until it is loaded"
	case models.BySettings:
		return size + ", as you stated"
	}
	return size + ", which is assumed"
}
