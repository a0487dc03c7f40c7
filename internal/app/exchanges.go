package app

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"

	"ken/internal/session"
	"ken/internal/termsafe"
)

// An Exchange is a question and its answer, as a program that has a conversation of its own passed them on.
type Exchange struct {
	Path     string // of the session that it goes on with; "": a new one
	Channel  string
	Client   string // the program
	Question string // "": it was asked before, and a call stood between
	Answer   string // "": the model said nothing, as before a call
	Model    string // as the program called it
	Finish   string // how the answer ended
}

// Exchange keeps e as turns of a session, masked, and returns its path: that of another one, where the one that e goes on with is gone
// or is open elsewhere. Both turns are of the origin of other programs' texts, since nobody can say who typed them. Errors: of
// the files; where the settings keep no sessions, or the memory is only read, nothing is kept and there is none.
func (c *Conversations) Exchange(e Exchange) (path string, err error) {
	if c.settings.ReadOnly() || !c.settings.cfg.Session.Autosave {
		return e.Path, nil
	}
	text := func(s string) string { return strings.TrimSpace(c.mask(termsafe.Clean(s))) }
	e.Question, e.Answer = text(e.Question), text(e.Answer)
	if e.Question == "" && e.Answer == "" {
		return e.Path, nil
	}
	rec, err := c.exchanges(e)
	if err != nil {
		return "", err
	}
	now, model := c.o.Now(), termsafe.Line(c.mask(e.Model))
	if e.Question != "" {
		_, err = rec.AppendTurn(session.Turn{Time: now, Role: session.RoleUser, Content: e.Question, From: fromOutside})
	}
	if e.Answer != "" && err == nil {
		_, err = rec.AppendTurn(session.Turn{
			Time: now, Role: session.RoleAssistant, Content: e.Answer, Model: model, From: fromOutside,
			Finish: cmp.Or(termsafe.Line(e.Finish), session.FinishTruncated),
		})
	}
	return rec.Path(), errors.Join(err, rec.Close())
}

// fromOutside is whose text stands in a turn that a program passed on.
const fromOutside = "external"

// exchanges is the session that e belongs into.
func (c *Conversations) exchanges(e Exchange) (*session.Writer, error) {
	dir := c.Dir()
	if e.Path != "" {
		rec, _, err := dir.Open(e.Path)
		if err == nil || !errors.Is(err, session.ErrHeld) && !errors.Is(err, fs.ErrNotExist) {
			return rec, err
		}
	}
	h := c.Header(e.Channel)
	h.Model = termsafe.Line(e.Model)
	client, err := json.Marshal(e.Client)
	if err != nil {
		return nil, err
	}
	h.Extra = []session.Field{{Name: "client", Value: client}}
	return dir.Create(h)
}
