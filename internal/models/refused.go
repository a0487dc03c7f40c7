package models

import (
	"context"
	"strconv"

	"ken/internal/config/edit"
	"ken/internal/fault"
	"ken/internal/llm"
	"ken/internal/llm/discover"
)

// taught is what refusals of the server of a preset taught of how a request is put, in this run or lately in another one. It is
// as fresh as what servers say of themselves: one that was started otherwise, or is newer, is asked as at first again.
func (m *Set) taught(p Preset) []string {
	k := m.knownOf(p)
	i := k.find(p.Model.Model)
	if i < 0 || len(k.models[i].taught) == 0 || !m.recent(p, k.models[i].since) {
		return nil
	}
	return k.models[i].taught
}

// teach keeps what refusals of the server of a preset taught; nothing: it takes what it is asked at first.
func (m *Set) teach(p Preset, names []string) {
	if plainBase(p.BaseURL) == "" || !discover.IsName(p.Model.Model) {
		return
	}
	m.change(p, func(k *known) {
		if n := k.of(p.Model.Model); n != nil {
			n.taught, n.since = names, m.Now()
		}
	})
}

// A refusal is where a request was refused for its length: a model at a server.
type refusal struct{ base, model string }

// TooLong returns how many tokens a model takes, now that its server refused a request as too long for it:
// what the refusal says, else what the server says when it is asked anew, for Moment at most. 0: no more is known
// than before. name is the preset that was asked, where e does not say which one it was. What is
// learned is kept as what servers say is, holds in this run whatever else is known, and is told once.
func (m *Set) TooLong(ctx context.Context, name string, e *llm.Error) int {
	if e.Preset != "" {
		name = e.Preset
	}
	p, err := m.Preset(name)
	if err != nil {
		return 0
	}
	before, window := m.Facts(p), e.Window()
	if window == 0 {
		l := m.ask(ctx, &Lesson{set: m, of: p, cancel: func() {}, quiet: true})
		l.wait(ctx, Moment)
		l.End()
		k := m.knownOf(p)
		if i := k.find(p.Model.Model); i >= 0 && !k.models[i].Guess {
			window = k.models[i].Window
		}
		if window == 0 || window >= before.Window {
			return 0
		}
	}
	if m.refused == nil {
		m.refused = make(map[refusal]int)
	}
	m.refused[refusal{plainBase(p.BaseURL), p.Model.Model}] = window
	m.change(p, func(k *known) {
		k.learn(discover.Model{Name: p.Model.Model, Window: window}, m.Now())
	})
	if window < before.Window {
		next := fault.Text{}
		if before.WindowBy == BySettings && p.From == FromConfig {
			set := "config set " + edit.Key("models", p.Name, "context_tokens") + "=" + strconv.Itoa(window)
			next = fault.Textf("; to keep it: %s", fault.Command(set))
		}
		m.Notify("%s takes %d tokens, not %d: its server refused more%s", p.Model.Model, window, before.Window, next)
	}
	return window
}
