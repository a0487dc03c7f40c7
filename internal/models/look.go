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

// How long a server that listens may take to say which models it has. On a machine that is busy one that answers in some
// milliseconds takes a hundred times that.
const (
	guessWait = 2 * time.Second  // it may be anything that listens there
	knownWait = 10 * time.Second // the person named it, or a model was found there before
)

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
		found, err = discover.At(ctx, base, knownWait)
	} else {
		wait := guessWait
		if m.before() != "" {
			wait = knownWait
		}
		found, err = discover.First(ctx, m.localAddresses(), wait)
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		m.looked, m.missed = now, m.missing(base, err)
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
	if k := m.knownOf(p); k.find(found.Model) < 0 { // the next run waits for this server
		m.change(p, func(k *known) { k.of(found.Model) })
	}
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

// before is the first of the addresses of this machine at which a model was found before; "" if none is known.
func (m *Set) before() string {
	for _, at := range m.localAddresses() {
		if base := "http://" + at + "/v1"; len(readKnown(m.kept(), base).models) > 0 {
			return at
		}
	}
	return ""
}

// A missed is what is known where looking found nothing, beside that; "" where that is nothing special.
type missed struct {
	what string // in the place of ErrNone
	step string // what to do
}

// missing is what an error of looking says.
func (m *Set) missing(base string, err error) missed {
	at, _, _ := strings.Cut(err.Error(), ": ")
	if base != "" {
		at = hostAt(base)
	}
	silent := "the model server at " + at + " does not answer"
	switch {
	case errors.Is(err, discover.ErrEmpty) && base == "":
		return missed{step: fmt.Sprintf("the server at %s has no model: give it one (ollama pull NAME)", at)}
	case errors.Is(err, discover.ErrEmpty):
		return missed{step: "the server at OPENAI_BASE_URL has no model: give it one"}
	case errors.Is(err, discover.ErrSilent) && base == "":
		return missed{silent, "it listens there, and may be busy: ask again, or start it anew"}
	case errors.Is(err, discover.ErrSilent), errors.Is(err, discover.ErrAbsent):
		return missed{silent, "is the server at OPENAI_BASE_URL running? It listed no model; KEN_MODEL names one without asking"}
	case base != "":
		return missed{step: "is the server at OPENAI_BASE_URL running? It listed no model; KEN_MODEL names one without asking"}
	}
	if at := m.before(); at != "" {
		return missed{"the model server at " + at + ", which was found before, is not there", "start it"}
	}
	return missed{}
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
