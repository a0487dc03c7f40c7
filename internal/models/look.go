package models

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

// named is how long a server that the person named is waited for, to say which models it has: unlike those that are looked for, it
// is there, and may be busy.
const named = time.Second

// MayLook reports whether a model may be looked for on this machine: nothing is
// configured, and no address elsewhere is named.
func (m *Set) MayLook() bool {
	cfg, err := m.Settings()
	base := m.Getenv("OPENAI_BASE_URL")
	return err == nil && len(cfg.Models) == 0 && m.Getenv("KEN_MODEL") == "" &&
		(base == "" || discover.IsLocal(base))
}

// Look looks for a model on this machine, where it may, if none was found yet and
// the last look was some seconds ago. What it finds is in force from then on, and
// reported. Finding nothing is no error; that ctx ended is.
func (m *Set) Look(ctx context.Context) error {
	now := m.Now()
	if m.found != nil || !m.MayLook() || !m.looked.IsZero() && now.Sub(m.looked) < lookAgain {
		return nil
	}
	base := m.Getenv("OPENAI_BASE_URL")
	var found discover.Found
	var err error
	if base != "" {
		found, err = discover.At(ctx, base, named)
	} else {
		found, err = discover.First(ctx, m.localAddresses(), discover.Within)
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		m.looked, m.missed = now, missed(base, err)
		return nil
	}
	var p Preset
	if base != "" {
		p = m.fromEnvironment(found.Model)
	} else {
		p = Preset{Name: found.Model, Model: config.DefaultModel()}
		p.Model.Model, p.BaseURL = found.Model, found.BaseURL
	}
	p.From = FromThisMachine
	m.found = &p
	if said := found.Model + " at " + found.Address; m.said != said {
		m.said = said
		what := "found; keep it: "
		if m.stranger(p) {
			what = "found; without your memory, earlier conversations or a key; keep it, with all: "
		}
		m.Notify("using %s (%s%s)", said, what, m.keep(p))
	}
	return nil
}

// localAddresses are where a model of this machine is looked for.
func (m *Set) localAddresses() []string {
	if m.Local != nil {
		return m.Local
	}
	return discover.Addresses(m.Getenv("OLLAMA_HOST"))
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
func (m *Set) lost(name string, err error) {
	var e *llm.Error
	if m.found != nil && m.found.Name == name && errors.As(err, &e) && (e.Kind == llm.Network || e.Kind == llm.NotFound) {
		m.found, m.looked = nil, time.Time{}
		if m.chosen == name {
			m.chosen = ""
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
