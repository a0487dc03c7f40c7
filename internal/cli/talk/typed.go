package talk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"ken/internal/cli/app"
	"ken/internal/engine"
	"ken/internal/grammar"
	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/repl"
	"ken/internal/session"
)

// act does what a typed line plainly asks of the memory, before any model has a
// word in it. asked says that there is a model, which the line will go to. done
// reports that it need not go there any more.
func (s *Shell) act(ctx context.Context, line string, asked bool) (done bool) {
	a := s.app
	if !s.term.Asks || !a.MemoryOn() {
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
func (s *Shell) teach(ctx context.Context, text string, asked bool) error {
	a := s.app
	e, err := a.Memory()
	if err != nil {
		return err
	}
	d := engine.Draft{Content: text}
	if asked && s.rec.ID() != "" {
		d.Source = &memory.Source{Session: s.rec.ID(), Turn: s.rec.Last() + 1, Channel: string(session.ChannelTerminal)}
	}
	r, err := e.Remember(ctx, d)
	if err != nil {
		return err
	}
	s.MemoryChanged()
	a.Status("remembered #%s (undo: %s)", r.IDs[0], a.Verb("undo "+r.IDs[0].String()))
	return nil
}

// forget lists the memories that text may mean and asks which to forget. done
// is false if there are none: then nothing was asked, and the line means
// something else.
func (s *Shell) forget(ctx context.Context, text string) (done bool, err error) {
	a := s.app
	l, err := a.Library(ctx, index.Memory)
	if err != nil {
		return false, err
	}
	found, err := l.Find(ctx, app.Search{Text: text, K: app.AnswerLines})
	if err != nil || len(found) == 0 {
		return false, err
	}
	if err := a.Println(app.FoundText(found, false)); err != nil {
		return true, err
	}
	refs, err := s.choose(ctx, found)
	if err != nil {
		return true, err
	}
	if len(refs) == 0 {
		a.Status("nothing was forgotten")
		return true, nil
	}
	ids := make([]memory.ID, len(refs))
	for i, ref := range refs {
		if ids[i], err = memory.ParseID(ref); err != nil {
			return true, err
		}
	}
	e, err := a.Memory()
	if err != nil {
		return true, err
	}
	r, err := e.Forget(ctx, "", ids...)
	if err != nil {
		return true, fmt.Errorf("not forgotten: %w", err)
	}
	s.MemoryChanged()
	for i, line := range r.IDs {
		a.Status("forgot #%s (undo: %s)", refs[i], a.Verb("undo "+line.String()))
	}
	return true, nil
}

// choose asks which of found are meant; silence is none.
func (s *Shell) choose(ctx context.Context, found []app.Found) (refs []string, err error) {
	if len(found) == 1 {
		yes, err := s.term.Confirm(ctx, "forget it?")
		if err != nil || !yes {
			return nil, err
		}
		return []string{found[0].Ref}, nil
	}
	answer, err := s.term.Ask(ctx, "forget which? (numbers, or all; Enter: none) ")
	if errors.Is(err, repl.ErrInterrupted) || errors.Is(err, io.EOF) {
		if s.term.Editor == nil {
			fmt.Fprintln(s.term.Err)
		}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return chosen(found, answer)
}

// chosen are the references in found that an answer names, each once. One that
// names anything else names nothing: a slip of the finger must hide nothing.
func chosen(found []app.Found, answer string) (refs []string, err error) {
	words := strings.FieldsFunc(answer, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' })
	all := make([]string, len(found))
	for i, f := range found {
		all[i] = f.Ref
	}
	if len(words) == 1 {
		switch strings.ToLower(words[0]) {
		case "all":
			return all, nil
		case "n", "no", "none":
			return nil, nil
		}
	}
	for _, w := range words {
		ref := strings.Trim(w, "#[]")
		if !slices.Contains(all, ref) {
			return nil, app.Usage("%q is not in the list; nothing was forgotten", w)
		}
		if !slices.Contains(refs, ref) {
			refs = append(refs, ref)
		}
	}
	return refs, nil
}

// tellSaid answers what was said about something. done is false if nothing was.
func (s *Shell) tellSaid(ctx context.Context, line string) (done bool, err error) {
	found, err := s.app.Answer(ctx, line, true)
	if err != nil || len(found) == 0 {
		return false, err
	}
	s.app.Status("from your conversations; the model was not asked")
	return true, s.app.Println(app.FoundText(found, false))
}

// answerAlone answers a line of the shell without a model.
func (s *Shell) answerAlone(ctx context.Context, line string, why error) error {
	a := s.app
	if k := grammar.Parse(line).Kind; !a.MemoryOn() || k == grammar.KindRemember {
		a.Report(why)
		return nil
	}
	found, err := a.Answer(ctx, line, true)
	if err != nil {
		a.Warn(err)
		a.Report(why)
		return nil
	}
	a.Status("%s", aloneText(why))
	return a.Println(app.FoundText(found, false))
}

// aloneText says that no model answers, and how to have one.
func aloneText(why error) string {
	return fmt.Sprintf("%v; this is what memory and conversations hold. For answers, %s", why, app.NextStep(why))
}

// askAlone answers a question of the command line without a model. typed is the
// part of it that was typed, text the whole. Finding nothing is the error why.
func askAlone(ctx context.Context, a *app.App, typed, text string, asJSON bool, why error) error {
	query := typed
	if typed == "" || typed == "-" {
		query = text
	}
	found, err := a.Answer(ctx, query, query == typed)
	if err != nil {
		a.Warn(err)
		return why
	}
	if len(found) > 0 {
		a.Status("%s", aloneText(why))
		why = nil
	}
	answer := app.FoundText(found, false)
	if !asJSON {
		return errors.Join(a.Println(answer), why)
	}
	v := answerView{Answer: answer, Why: []string{}}
	for _, f := range found {
		v.Why = append(v.Why, f.Ref)
	}
	if why != nil {
		v.Error = why.Error()
	}
	return errors.Join(a.PrintJSON(v), app.Told(why))
}
