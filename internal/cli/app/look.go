package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"ken/internal/config"
	"ken/internal/llm"
	"ken/internal/llm/discover"
)

// lookAgain is how long nothing found stays nothing found: a person who starts a
// model and asks again is served, and questions in quick succession do not pay
// for looking each time.
const lookAgain = 3 * time.Second

// MayLook reports whether a model may be looked for on this machine: nothing is
// configured, and no address elsewhere is named.
func (a *App) MayLook() bool {
	cfg, err := a.Settings()
	base := a.Env.Getenv("OPENAI_BASE_URL")
	return err == nil && cfg.Model == "" && len(cfg.Models) == 0 && a.Env.Getenv("KEN_MODEL") == "" &&
		(base == "" || discover.IsLocal(base))
}

// Look looks for a model on this machine, where it may, if none was found yet and
// the last look was some seconds ago. What it finds is in force from then on, and
// told. Finding nothing is no error; that ctx ended is.
func (a *App) Look(ctx context.Context) error {
	now := a.Env.Now()
	if a.found != nil || !a.MayLook() || !a.looked.IsZero() && now.Sub(a.looked) < lookAgain {
		return nil
	}
	base := a.Env.Getenv("OPENAI_BASE_URL")
	var found discover.Found
	var err error
	if base != "" {
		found, err = discover.At(ctx, base, discover.Within)
	} else {
		found, err = discover.First(ctx, a.localAddresses(), discover.Within)
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		a.looked, a.missed = now, missed(base, err)
		return nil
	}
	var p Preset
	keep := "export KEN_MODEL=" + quoteWord(found.Model)
	if base != "" {
		p = a.fromEnvironment(found.Model)
	} else {
		p = Preset{Name: found.Model, Model: config.DefaultModel()}
		p.Model.Model, p.BaseURL = found.Model, found.BaseURL
		keep = a.Verb("config set models.local.base_url=" + found.BaseURL + " " + "models.local.model=" + quoteWord(found.Model))
	}
	p.From = FromThisMachine
	a.found = &p
	if said := found.Model + " at " + found.Address; a.said != said {
		a.said = said
		a.Status("using %s (found; keep it: %s)", said, keep)
	}
	return nil
}

// localAddresses are where a model of this machine is looked for.
func (a *App) localAddresses() []string {
	if a.Env.Local != nil {
		return a.Env.Local
	}
	return discover.Addresses(a.Env.Getenv("OLLAMA_HOST"))
}

// missed is what to do where looking found nothing and more is known than that;
// else "".
func missed(base string, err error) string {
	switch {
	case errors.Is(err, discover.ErrEmpty) && base == "":
		at, _, _ := strings.Cut(err.Error(), ": ")
		return fmt.Sprintf("the server at %s has no model: give it one (ollama pull NAME)", at)
	case errors.Is(err, discover.ErrEmpty):
		return "the server at OPENAI_BASE_URL has no model: give it one"
	case base != "":
		return "is the server at OPENAI_BASE_URL running? It listed no model; KEN_MODEL names one without asking"
	}
	return ""
}

// lost takes note that a model did not answer. One that was found and is gone is
// looked for again with the next question.
func (a *App) lost(name string, err error) {
	var e *llm.Error
	if a.found != nil && a.found.Name == name && errors.As(err, &e) && (e.Kind == llm.Network || e.Kind == llm.NotFound) {
		a.found, a.looked = nil, time.Time{}
		if a.chosen == name {
			a.chosen = ""
		}
	}
}

// quoteWord is s as one word of a command line.
func quoteWord(s string) string {
	q, err := syntax.Quote(s, syntax.LangPOSIX)
	if err != nil {
		return s // no name of a model holds what cannot be quoted
	}
	return q
}
