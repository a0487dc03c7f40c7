package chat

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ken/internal/cli/pick"
	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/grammar"
	"ken/internal/memory"
	"ken/internal/search"
	"ken/internal/session"
	"ken/internal/view"
	"ken/internal/view/why"
)

// act does what a typed line plainly asks of the memory, before any model has a
// word in it. asked says that there is a model, which the line will go to. done
// reports that it need not go there any more.
func (s *REPL) act(ctx context.Context, line string, asked bool) (done bool) {
	a := s.app
	if !s.term.Asks || !a.Home.Settings.MemoryOn() || a.InLane() {
		return false
	}
	var err error
	switch sentence := grammar.Parse(line); sentence.Kind {
	case grammar.KindRemember:
		if err = s.teach(ctx, sentence.Text, asked); err != nil {
			a.Warn(fmt.Errorf("not remembered: %w", err))
			return false
		}
		return !asked // it still goes to the model, which is to know of it
	case grammar.KindForget:
		done, err = s.forget(ctx, sentence.Text)
	case grammar.KindForgetAll:
		_, words, _ := strings.Cut(strings.TrimSpace(line[strings.Index(strings.ToLower(line), "forget"):]), " ")
		if scope, ok := pick.Project(ctx, a, words); ok {
			a.Status("all of %s", scope)
			done, err = true, s.tree.Run(ctx, []string{"forget", "--scope", scope})
		} else {
			done, err = s.forget(ctx, sentence.Text)
		}
	case grammar.KindSaidAbout:
		if asked { // no model knows other conversations
			done, err = s.tellSaid(ctx, line)
		}
	}
	if err != nil {
		a.Report(err)
		return true
	}
	return done
}

// teach keeps text. It was said in the turn that follows, if a model is asked:
// without one, nothing of the line is kept but the memory.
func (s *REPL) teach(ctx context.Context, text string, asked bool) error {
	a := s.app
	w, err := a.Writer()
	if err != nil {
		return err
	}
	d := engine.Draft{Content: text, Near: true}
	if asked && s.rec.ID() != "" {
		d.Source = &memory.Source{Session: s.rec.ID(), Turn: s.rec.Last() + 1, Channel: string(session.ChannelTerminal)}
	}
	r, err := w.Remember(ctx, d)
	if err != nil {
		return err
	}
	if !r.Same.IsZero() {
		a.Status("already remembered as #%s", r.Same)
		a.Used(ctx, r.Same.String())
		if d.Source == nil {
			return nil
		}
		// This turn says it too, and must not be found once it is forgotten.
		_, err = w.Edit(ctx, r.Same, engine.Edit{Source: d.Source})
		return err
	}
	a.Status("remembered #%s (undo: %s)", r.IDs[0], a.Verb("undo "+r.IDs[0].String()))
	a.TellNear(r)
	return nil
}

// forget asks which of the memories that text may mean to forget. done is false
// if there are none: then nothing was asked, and the line means something else.
func (s *REPL) forget(ctx context.Context, text string) (done bool, err error) {
	a := s.app
	ids, err := pick.Memories(ctx, a, text, pick.Options{Verb: "forget"})
	switch {
	case errors.Is(err, pick.ErrNoMatch):
		return false, nil
	case err != nil:
		return true, err
	case len(ids) == 0:
		a.Status("nothing was forgotten")
		return true, nil
	}
	w, err := a.Writer()
	if err != nil {
		return true, err
	}
	r, err := w.Forget(ctx, "", ids...)
	if err != nil {
		return true, fmt.Errorf("not forgotten: %w", err)
	}
	for i, line := range r.IDs {
		a.Status("forgot #%s (undo: %s)", ids[i], a.Verb("undo "+line.String()))
	}
	return true, nil
}

// tellSaid answers what was said about something. done is false if nothing was.
func (s *REPL) tellSaid(ctx context.Context, line string) (done bool, err error) {
	found, err := search.Answer(ctx, s.app.Moment(), line, true)
	if err != nil || len(found) == 0 {
		return false, err
	}
	s.app.Status("from your conversations; the model was not asked")
	return true, s.app.Println(search.AnswerText(found, false))
}

// answerAlone answers a line of the shell without a model.
func (s *REPL) answerAlone(ctx context.Context, line string, cause error) error {
	a := s.app
	again := s.alone // how to have a model was told, and is not told each time
	s.alone = true
	if again {
		cause = errors.New("no model is configured")
	}
	if k := grammar.Parse(line).Kind; !a.Home.Settings.MemoryOn() || k == grammar.KindRemember {
		a.Report(cause)
		return nil
	}
	found, err := search.Answer(ctx, a.Moment(), line, true)
	switch {
	case err != nil:
		a.Warn(err)
		a.Report(cause)
		return nil
	case !again:
		a.Status("%s", aloneText(a, cause))
	case len(found) > 0:
		a.Status("no model; from memory and conversations:")
	}
	search.NoteUse(ctx, a.Home, found)
	return a.Println(search.AnswerText(found, false))
}

// aloneText says that no model answers, and how to have one.
func aloneText(a *term.Run, cause error) string {
	return fmt.Sprintf("%v; this is from memory and conversations. For answers, %s", cause, a.NextStep(cause))
}

// askAlone answers a question of the command line without a model. typed is the
// part of it that was typed, text the whole. Finding nothing is the error cause.
func askAlone(ctx context.Context, a *term.Run, typed, text string, asJSON bool, cause error) error {
	query := typed
	if typed == "" || typed == "-" {
		query = text
	}
	found, err := search.Answer(ctx, a.Moment(), query, query == typed)
	if err != nil {
		a.Warn(err)
		return cause
	}
	if len(found) > 0 {
		a.Status("%s", aloneText(a, cause))
		cause = nil
	}
	said := search.AnswerText(found, false)
	search.NoteUse(ctx, a.Home, found)
	if !asJSON {
		return errors.Join(a.Println(said), cause)
	}
	v := answer{view.Answer{Answer: said, Why: []string{}}, []why.Envelope{}, nil}
	if len(found) > 0 {
		v.Provenance = append(v.Provenance, search.Envelope(a.Home, found))
	}
	for _, f := range found {
		v.Why = append(v.Why, f.Ref)
	}
	if cause != nil {
		v.Error = cause.Error()
	}
	return errors.Join(a.PrintJSON(v), term.Told(cause))
}
