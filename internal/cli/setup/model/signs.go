package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"

	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/config/edit"
	"ken/internal/llm/discover"
	"ken/internal/models"
	"ken/internal/view"
)

// modelWait is how long a doctor waits for the server of a model.
const modelWait = 2 * time.Second

// Found is what a doctor says of the set-up, in the order in which it looked.
type Found struct {
	Signs []view.Sign
}

// OK says of what that it is as it should be.
func (f *Found) OK(what, format string, args ...any) {
	f.Signs = append(f.Signs, view.Sign{Level: "ok", What: what, Says: fmt.Sprintf(format, args...)})
}

// Gap says of what that something is missing, and the next step that closes the gap.
func (f *Found) Gap(what, says, next string) {
	f.Signs = append(f.Signs, view.Sign{Level: "gap", What: what, Says: says, Next: next})
}

// Note says of what something that is good to know, and what can be done about it.
func (f *Found) Note(what, says, next string) {
	f.Signs = append(f.Signs, view.Sign{Level: "note", What: what, Says: says, Next: next})
}

// Look looks at the model in force and at those that stand in for it, asks their servers
// unless offline, and adds to found what it sees.
func Look(ctx context.Context, a *term.Run, cfg config.Config, offline bool, found *Found) {
	d := &doctor{app: a, offline: offline, Found: found}
	d.models(ctx, cfg)
}

// A doctor looks at models.
type doctor struct {
	*Found
	app     *term.Run
	offline bool
}

// models looks at the model in force and at those that stand in for it.
func (d *doctor) models(ctx context.Context, cfg config.Config) {
	set := d.app.Home.Models()
	if !d.offline {
		if err := set.Look(ctx); err != nil {
			return // the person wants no more
		}
	}
	p, err := set.Preset("")
	if err != nil {
		next := d.app.Verb("config set model NAME")
		if len(cfg.Models) == 0 {
			next = d.app.Verb("config init") + " asks for one; or " + d.app.NextStep(err)
		}
		d.Gap("model", err.Error(), next)
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
	key, from, err := m.Key(d.app.Env.Getenv)
	if err != nil {
		d.Gap(what, name+": "+err.Error(), cmp.Or(d.app.NextStep(err), "mend the file, or name another one"))
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
			return d.app.Verb("config set model " + at + "/" + value)
		}
		return d.app.Verb("config set " + edit.Key("models", cmp.Or(p.Of(), name), key) + " " + value)
	}
	elsewhere := "start the server, or " + set("base_url", "ADDRESS", "OPENAI_BASE_URL")
	switch {
	case m.BaseURL == "":
		d.Gap(what, name+": no address", set("base_url", "ADDRESS", "OPENAI_BASE_URL"))
		return
	case m.Model == "":
		d.Gap(what, name+": no model is named", set("model", "NAME", "KEN_MODEL"))
		return
	case d.offline:
		d.Note(what, fmt.Sprintf("%s: %s, %s; its server was not asked", name, m.Model, from), "")
		return
	case p.From == models.FromThisMachine:
		d.OK(what, "%s at %s, found on this machine", name, p.Host())
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
		d.Gap(what, fmt.Sprintf("%s: %s (%s, %s)", name, discover.ErrExposed, p.Host(), from), "use an https:// address, or "+set("plain_http", "true", "plain_http in a [models.NAME]"))
	case errors.Is(err, discover.ErrKey):
		d.Gap(what, fmt.Sprintf("%s: %s refuses the key (%s)", name, at, from), set("api_key_env", "VARIABLE", "OPENAI_API_KEY"))
	case errors.Is(err, discover.ErrNoList):
		d.Note(what, fmt.Sprintf("%s: %s answers, but does not list its models", name, at), "try it: "+d.app.Verb("ask hello"))
	case errors.Is(err, context.DeadlineExceeded):
		d.Gap(what, fmt.Sprintf("%s: %s gave no answer within %s", name, at, modelWait), elsewhere)
	case errors.As(err, &errno):
		d.Gap(what, fmt.Sprintf("%s: %s: %v", name, at, errno), elsewhere)
	case err != nil:
		d.Gap(what, fmt.Sprintf("%s: %s: %v", name, at, errors.Unwrap(err)), elsewhere)
	case !slices.Contains(list, m.Model) && !slices.Contains(list, m.Model+":latest"):
		const most = 5
		has := strings.Join(list[:min(len(list), most)], ", ")
		if len(list) > most {
			has += ", ..."
		}
		d.Gap(what, fmt.Sprintf("%s: %s has no %s; it has %s", name, at, m.Model, cmp.Or(has, "none")), set("model", "NAME", "KEN_MODEL"))
	default:
		f := d.app.Home.Models().Study(ask, p, modelWait)
		d.OK(what, "%s: %s at %s, %s; %s", name, m.Model, p.Host(), from, windowSays(f))
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
