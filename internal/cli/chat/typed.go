package chat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"ken/internal/agent/turn"
	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/cli/which"
	"ken/internal/conflict"
	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/models"
	"ken/internal/pick"
	"ken/internal/teach"
	"ken/internal/termsafe"
	"ken/internal/view/why"
)

// act does what a typed line plainly asks of the memory, before any model has a
// word in it. asked says that there is a model, which the line will go to. done
// reports that it need not go there any more.
func (s *REPL) act(ctx context.Context, line string, asked bool) (done bool) {
	a := s.app
	if !s.term.Asks || !a.Home.Settings.MemoryOn() || a.Lane.In() {
		return false
	}
	var err error
	if asked && app.AsksSaid(line) { // no model knows other conversations
		if done, err = s.tellSaid(ctx, line); err != nil {
			a.Warn(fmt.Errorf("conversations were not searched: %w", err))
		}
		return done
	}
	r := teach.Read(line)
	if settled, err := s.noticed(ctx, r, line, asked); err != nil {
		a.Warn(fmt.Errorf("nothing was replaced: %w", err))
	} else if settled {
		return !asked // the model is to know of it
	}
	switch r.Act {
	case teach.Keep:
		if err = s.keep(ctx, r, asked); err != nil {
			a.Warn(fmt.Errorf("not remembered: %w", err))
		}
		return !asked // it still goes to the model, which is to know of it
	case teach.Correct:
		return s.correct(ctx, r, asked)
	case teach.Propose:
		return s.suggest(ctx, r, asked)
	case teach.Hint:
		a.Status("to keep something: %s; to have something forgotten: %s", a.Verb("remember TEXT"), a.Verb("forget TEXT"))
		return !asked
	case teach.Forget:
		err = s.tree.Run(ctx, []string{"forget", "--", wish(r)})
		if errors.Is(err, pick.ErrNoMatch) {
			return s.nothingToForget(r, asked)
		}
		done = true
	}
	if err != nil {
		a.Report(err)
		return true
	}
	return done
}

// keep remembers what was taught, and says so.
func (s *REPL) keep(ctx context.Context, taught teach.Reading, asked bool) error {
	a, lesson := s.app, s.dialog.Lesson(asked)
	draft, err := lesson.Draft(ctx, taught.Text, taught.Kind, taught.Scope)
	if err != nil {
		return err
	}
	w, err := a.Home.Memory.Writer()
	if err != nil {
		return err
	}
	f, err := which.Beside(ctx, a, w, draft, pick.Stated)
	if err != nil {
		return err
	}
	if f.Nothing {
		a.Status("nothing was remembered")
		return nil
	}
	r, err := lesson.Keep(ctx, taught.Text, taught.Kind, taught.Scope, f.Replace...)
	switch {
	case !r.Same.IsZero():
		a.Status("already remembered as #%s", r.Same)
	case err == nil:
		s.tellKept(r, f.Replace)
		if !f.Shown {
			a.TellNear(r)
		}
	}
	return errors.Join(err, which.Settle(ctx, a, w, f))
}

// tellKept says what was remembered, and in the place of what.
func (s *REPL) tellKept(r engine.Receipt, over []memory.ID) {
	place := ""
	if len(over) > 0 {
		refs := make([]string, len(over))
		for i, id := range over {
			refs[i] = "#" + id.String()
		}
		place = " in the place of " + strings.Join(refs, ", ")
	}
	s.app.Status("remembered #%s%s (undo: %s)", r.IDs[0], place, s.app.Verb("undo "+r.IDs[0].String()))
}

// noticed asks what becomes of memories beside which a line hardly holds that asks for nothing: it gives another value to what has
// one, or says what ended. settled says that the person answered by a change. What cannot be asked today waits for them.
func (s *REPL) noticed(ctx context.Context, r teach.Reading, line string, asked bool) (settled bool, err error) {
	wish := pick.Passing
	switch r.Act {
	case teach.None, teach.Propose:
	case teach.Correct:
		wish = pick.Corrects
	default:
		return false, nil
	}
	a, lesson := s.app, s.dialog.Lesson(asked)
	claims := conflict.Read(line)
	if a.Home.Settings.ReadOnly() || !claims.Passing() {
		return false, nil
	}
	draft, err := lesson.Draft(ctx, line, r.Kind, r.Scope)
	if err != nil {
		return false, nil // whoever keeps it says so
	}
	text := cmp.Or(r.Text, claims.Claim, strings.TrimRight(strings.TrimSpace(line), ".! "))
	w, err := a.Home.Memory.Writer()
	if err != nil {
		return false, err
	}
	f, err := which.Beside(ctx, a, w, draft, wish)
	if err != nil {
		return false, err
	}
	if len(f.Waits)+len(f.Suggests) > 0 {
		return true, s.wait(ctx, lesson, w, text, r, f)
	}
	if len(f.Replace) > 0 {
		got, err := lesson.Replace(ctx, f.Replace[0], text, f.Replace[1:]...)
		if err != nil {
			return false, err
		}
		s.tellKept(got, f.Replace)
	}
	if f.Shown && !f.Any() && wish == pick.Corrects {
		a.Status("nothing was replaced")
		return true, nil
	}
	return f.Any(), which.Settle(ctx, a, w, f)
}

// wait has what could not be asked about today wait for the person's yes, and says so in a line.
func (s *REPL) wait(ctx context.Context, lesson turn.Lesson, w *engine.Writer, text string, r teach.Reading, f pick.Fate) error {
	list, err := w.Propose(ctx, f.Suggests...)
	if err == nil && len(f.Waits) > 0 {
		var p engine.Proposed
		if p, err = lesson.Suggest(ctx, text, r.Kind, r.Scope, f.Waits...); err == nil {
			list = append(list, p)
		}
	}
	var names []string
	for _, p := range list {
		if p.New {
			names = append(names, fmt.Sprintf("p%d", p.ID))
		}
	}
	if len(names) > 0 {
		s.app.Status("not asked about today: %s: %s", strings.Join(names, ", "), s.app.Verb("review"))
	}
	return err
}

// correct finds what a correction is about, shows it, and replaces it if the person says so:
// what was remembered stays in the history. Where nothing is found it is a statement like
// others. What goes wrong is told, and is no reason for a model not to hear the line: done is
// false where it still says something to the model.
func (s *REPL) correct(ctx context.Context, said teach.Reading, asked bool) (done bool) {
	a := s.app
	about := cmp.Or(said.Old, said.Text)
	ids, err := which.Memories(ctx, a, about, which.Options{Verb: "replace", One: true})
	switch {
	case errors.Is(err, pick.ErrNoMatch):
		return s.suggest(ctx, said, asked)
	case err != nil:
		a.Warn(fmt.Errorf("not replaced: %w", err))
		return !asked
	case len(ids) == 0:
		a.Status("nothing was replaced")
		return !asked
	}
	r, err := s.dialog.Lesson(asked).Replace(ctx, ids[0], said.Text)
	if err != nil {
		a.Warn(fmt.Errorf("not replaced: %w", err))
		return !asked
	}
	if !r.Same.IsZero() {
		a.Status("already remembered as #%s", r.Same)
		return !asked
	}
	a.Status("remembered #%s in the place of #%s (undo: %s)", r.IDs[0], ids[0], a.Verb("undo "+r.IDs[0].String()))
	return !asked
}

// suggest has what a line states wait for the person's yes, unless the settings say that
// nothing is to be extracted. done is false where it was not new, or a model is to hear it.
func (s *REPL) suggest(ctx context.Context, said teach.Reading, asked bool) (done bool) {
	a := s.app
	if cfg, ok := a.Home.Settings.InForce(); !ok || cfg.Given("memory.auto_extract") && cfg.Memory.AutoExtract == "off" {
		return false
	}
	p, err := s.dialog.Lesson(asked).Suggest(ctx, said.Text, said.Kind, said.Scope)
	if err != nil {
		a.Warn(fmt.Errorf("not suggested: %w", err))
	}
	if err != nil || !p.New {
		return false
	}
	a.Status("worth keeping? p%d waits: %s", p.ID, a.Verb("review"))
	return !asked
}

// nothingToForget says that nothing of what a line wants forgotten is known. done is false where
// the line may have meant something else, and a model is there to hear it.
func (s *REPL) nothingToForget(r teach.Reading, asked bool) (done bool) {
	s.app.Status("nothing is remembered about %s, and no conversation mentions it", termsafe.Line(r.Text))
	return !asked || r.Certain()
}

// wish says what a line wants forgotten as the command that forgets is told it, which lists and asks.
func wish(r teach.Reading) string {
	switch {
	case r.Key != "":
		return "the key " + r.Key
	case r.Scope == "here":
		return "everything about this project"
	case r.Scope != "":
		return "everything in " + r.Scope
	}
	if _, err := pick.Refs(strings.Fields(r.Text)); err == nil || r.All {
		return "everything about " + r.Text // numbers too were said in a sentence: nobody named a memory by one
	}
	return r.Text
}

// tellSaid answers what was said about something. done is false if nothing was.
func (s *REPL) tellSaid(ctx context.Context, line string) (done bool, err error) {
	found, err := s.dialog.Said(ctx, line)
	if err != nil || len(found) == 0 {
		return false, err
	}
	s.app.Status("from your conversations; the model was not asked")
	return true, s.app.Println(app.NamedText(s.app.Home, found, false))
}

// tellAlone prints what memory and conversations answered in the place of a model. How to
// have one is reported once.
func (s *REPL) tellAlone(ans turn.Answer) error {
	if !s.alone {
		s.app.Status("%s", aloneText(s.app, ans.NoModel))
	} else if len(ans.Found) > 0 {
		s.app.Status("no model; from memory and conversations:")
	}
	s.alone = true
	return s.app.Println(app.NamedText(s.app.Home, ans.Found, false))
}

// noModel is the error that no model answers, which says once how to have one.
func (s *REPL) noModel(err error) error {
	if !errors.Is(err, models.ErrNone) {
		return err
	}
	if s.alone {
		err = errors.New(err.Error()) // without its next step
	}
	s.alone = true
	return err
}

// aloneText says that no model answers, and how to have one.
func aloneText(a *term.Run, cause error) string {
	return fmt.Sprintf("%v; this is from memory and conversations. For answers, %s", cause, a.NextStep(cause))
}

// printAlone prints what memory answered on the command line. Finding nothing is an error.
func printAlone(a *term.Run, ans turn.Answer, asJSON bool) error {
	cause := ans.NoModel
	if len(ans.Found) > 0 {
		a.Status("%s", aloneText(a, cause))
		cause = nil
	}
	said := app.NamedText(a.Home, ans.Found, false)
	if !asJSON {
		return errors.Join(a.Println(said), cause)
	}
	v := why.NoAnswer(said, cause)
	if len(ans.Found) > 0 {
		v.Provenance = append(v.Provenance, app.Envelope(a.Home, ans.Found))
	}
	for _, f := range ans.Found {
		v.Why = append(v.Why, f.Ref)
	}
	return errors.Join(a.PrintJSON(v), term.Reported(cause))
}
