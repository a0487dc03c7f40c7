package app

import (
	"context"
	"slices"
	"strings"
	"time"

	"ken/internal/config"
	"ken/internal/working"
)

// Working is where the working memory is kept. One of another account, as it may be in a memory that
// is only read, says nothing of the person: it is nowhere.
func (v *View) Working() working.File {
	cfg, err := v.Settings.Read()
	if err != nil {
		cfg = config.Config{} // it was right when the run began
	}
	p := v.Settings.Paths()
	path := p.Working()
	if v.Settings.ReadOnly() && config.Own(path) != nil {
		path = ""
	}
	return working.File{Path: path, Lock: p.Data, Days: cfg.Memory.WorkingMemoryTTLDays, Tokens: cfg.Memory.WorkingMemoryMaxTokens, Now: v.Now}
}

// Account is what a model wrote of where the last conversation stopped, as it may be shown and sent;
// its text is "" if there is none.
func (v *View) Account(ctx context.Context) working.Account {
	m, err := v.Working().Read()
	if err != nil || !v.Tells(ctx, m.Account) {
		return working.Account{}
	}
	return m.Account
}

// AccountNow is Account with what a report of an answer takes of it.
func (v *View) AccountNow(ctx context.Context) func() (text string, written time.Time) {
	return func() (string, time.Time) {
		acc := v.Account(ctx)
		return acc.Text, acc.Written
	}
}

// Tells reports whether an account may be shown and sent: the person wants one, and it is of no
// conversation in which something was said that is forgotten, which a model may have put into words of
// its own.
func (v *View) Tells(ctx context.Context, acc working.Account) bool {
	if cfg, err := v.Settings.Read(); acc.Text == "" || err != nil || cfg.Memory.UserNamespace == "" || cfg.Memory.Account == config.AccountOff {
		return false
	}
	s, err := v.Memory.State(ctx)
	if err != nil {
		return false
	}
	hidden, of := s.HiddenTurns(), strings.Fields(acc.Session)
	if slices.ContainsFunc(of, func(id string) bool { return hidden.Sessions[id] }) {
		return false
	}
	for t := range hidden.Turns {
		if slices.Contains(of, t.Session) {
			return false
		}
	}
	return true
}
