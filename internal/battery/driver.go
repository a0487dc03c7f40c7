package battery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/engine"
	"ken/internal/foreign"
	"ken/internal/jsonl"
	"ken/internal/jsonl/jsonltest"
	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/session"
)

// A Driver does one operation, as often as it has ways to go wrong, and notes
// what was acknowledged. It goes on after errors, as a person would. It returns
// them joined.
type Driver struct {
	Name string // after "Test<fault>": Remember, Forget, ...
	Run  func(ctx context.Context, h *Home, l *Ledger) error
	// Heavy, if not 0, has short runs take only each Heavy-th call.
	Heavy int
	// Ready, if any, makes beforehand what Run needs, without faults.
	Ready func(ctx context.Context, h *Home, l *Ledger) error
	// Again, if any, is what a person does who did not hear that it is done: Run
	// once more, without faults. It checks what must hold then.
	Again func(ctx context.Context, h *Home, l *Ledger) error
}

// Drivers returns one driver for each operation.
func Drivers() []Driver {
	return []Driver{
		{Name: "Remember", Run: remember},
		{Name: "Forget", Run: forget},
		{Name: "Erase", Run: eraseFromLog},
		{Name: "Session", Run: func(_ context.Context, h *Home, l *Ledger) error { return converse(h, l, false) }},
		{Name: "SessionLines", Run: func(_ context.Context, h *Home, l *Ledger) error { return converse(h, l, true) }},
		{Name: "Resume", Run: resume},
		{Name: "ResumeKilled", Run: resumeKilled},
		{Name: "Import", Run: imports},
		{Name: "Review", Run: decide},
		compact(),
		eraseAll(),
	}
}

// What a home begins with: Start writes it.
const (
	firstText  = "the first memory: prefers tea"
	secondText = "the second memory: deploys on Fridays, never before ten"
	askedText  = "the kettle was proposed"
	saidText   = "what was said before"
	unknown    = `{"id":90,"ts":"2026-11-21T08:00:00Z","kind":"horoscope","content":"an unknown kind","zodiac":{"sign":"crab"}}`
	damaged    = `{"id":91,"kind":"fact","content":"a line that is cut`
)

// secret stands for what must never be written. It is made here so that no
// scanner takes the source for a leak.
func secret() string { return "AKIA" + "QX3T7NPLM2VKR9ZD" }

// Start fills an empty home by the operations themselves and adds what an edit by
// hand and a crash leave behind.
func Start(ctx context.Context, h *Home, l *Ledger) error {
	e := h.Engine()
	err := errors.Join(stated(ctx, h, l, e, firstText), stated(ctx, h, l, e, secondText))
	_, perr := proposed(ctx, l, e, askedText)
	w, serr := h.Sessions(true).Create(session.Header{Channel: session.ChannelTerminal})
	if err = errors.Join(err, perr, serr); err != nil {
		return err
	}
	l.Set(Said, saidText, Stands)
	_, err = w.AppendTurn(session.Turn{Role: session.RoleUser, Content: saidText})
	if err = errors.Join(err, w.Close()); err != nil {
		return err
	}
	l.Set(Active, "an unknown kind", Stands)
	for path, line := range map[string]string{
		h.Memory(): unknown + "\n" + damaged + "\n",
		h.Review(): damaged + "\n",
		w.Path():   `{"event":"unheard of","zodiac":"crab"}` + "\n" + damaged + "\n",
	} {
		if err := appendRaw(path, line); err != nil {
			return err
		}
	}
	return nil
}

// appendRaw is what "echo >>" does.
func appendRaw(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// stated remembers a text.
func stated(ctx context.Context, h *Home, l *Ledger, e *engine.Writer, text string) error {
	if h.Bug.Remember != nil {
		return h.Bug.Remember(ctx, h, l, text)
	}
	return l.Do(Active, text, Stands, Gone, func() error {
		_, err := e.Remember(ctx, engine.Draft{Content: text})
		return err
	})
}

// proposed proposes a text.
func proposed(ctx context.Context, l *Ledger, e *engine.Writer, text string) (ref string, err error) {
	err = l.Do(Asked, text, Stands, Gone, func() error {
		p, err := e.Propose(ctx, engine.Suggestion{Record: memory.Record{Content: text, Origin: memory.OriginModel}, Why: "it was said"})
		if err == nil {
			ref = fmt.Sprintf("p%d", p[0].ID)
		}
		return err
	})
	return ref, err
}

// hidden forgets a text.
func hidden(ctx context.Context, l *Ledger, e *engine.Writer, text string) error {
	id, ok, err := find(ctx, e, text)
	if !ok {
		return err
	}
	return l.Do(Active, text, Gone, Stands, func() error {
		_, err := e.Forget(ctx, "", id)
		return err
	})
}

func remember(ctx context.Context, h *Home, l *Ledger) error {
	e := h.Engine()
	errs := []error{
		stated(ctx, h, l, e, "new one"),
		stated(ctx, h, l, e, "new two "+strings.Repeat("long-", 130)),
		stated(ctx, h, l, h.Engine(), "new three, by another process"),
		stated(ctx, h, l, e, "new four: ünïcode 日本語 🙂\nand a second line"),
		again(ctx, h, l, "new four: ünïcode 日本語 🙂\nand a second line"),
	}
	l.Set(Bytes, secret(), Gone)
	var refused *engine.SecretError
	if _, err := e.Remember(ctx, engine.Draft{Content: "the key is " + secret()}); !errors.As(err, &refused) {
		errs = append(errs, fmt.Errorf("a secret was not refused: %w", err))
	}
	return errors.Join(errs...)
}

func forget(ctx context.Context, h *Home, l *Ledger) error {
	e := h.Engine()
	return errors.Join(
		stated(ctx, h, l, e, "to be forgotten"),
		hidden(ctx, l, e, firstText),
		hidden(ctx, l, h.Engine(), "to be forgotten"),
		stated(ctx, h, l, e, "behind it"),
	)
}

// again remembers what was remembered, as a person does who did not hear the
// answer: that it stands already is an acknowledgement too.
func again(ctx context.Context, h *Home, l *Ledger, text string) error {
	_, err := h.Engine().Remember(ctx, engine.Draft{Content: text})
	if err == nil {
		l.Set(Active, text, Stands)
	}
	return err
}

// toErase is the word by which the erased texts are known.
const toErase = "unmentionable"

func eraseFromLog(ctx context.Context, h *Home, l *Ledger) error {
	e := h.Engine()
	text := "something " + toErase
	err := stated(ctx, h, l, e, text)
	id, ok, ferr := find(ctx, e, text)
	if !ok {
		return errors.Join(err, ferr)
	}
	edited := toErase + ", said in other words"
	l.Set(Active, edited, Either)
	l.Set(Active, text, Either)
	_, eerr := e.Edit(ctx, id, engine.Edit{Content: &edited})
	gone := func() error {
		if h.Bug.Erase != nil {
			return h.Bug.Erase(ctx, h, id)
		}
		_, err := h.Log().Erase(ctx, id)
		return err
	}
	// An erasing that fails may have been done all the same; it says so by
	// being asked again.
	xerr := gone()
	if xerr == nil {
		l.Set(Active, edited, Gone)
		l.Set(Active, text, Gone)
		l.Set(Bytes, toErase, Gone)
	}
	return errors.Join(err, ferr, eerr, xerr, stated(ctx, h, l, e, "behind the erased"))
}

// converse has a conversation of three turns. A line that could not be written
// goes with the next one.
func converse(h *Home, l *Ledger, lines bool) error {
	w, err := h.Sessions(lines).Create(session.Header{Channel: session.ChannelTerminal, Model: "fast"})
	if err != nil {
		return err
	}
	return talk(w, l, lines, "turn one", "turn two "+strings.Repeat("long-", 130), "turn three")
}

// resume goes on with the conversation that was there.
func resume(_ context.Context, h *Home, l *Ledger) error {
	d := h.Sessions(true)
	path, _, err := d.Latest(func(session.Header) bool { return true })
	if errors.Is(err, session.ErrNone) || path == "" && err == nil {
		return converse(h, l, true)
	}
	if err != nil {
		return err
	}
	w, t, err := d.Open(path)
	if err != nil {
		return err
	}
	if want, ok := l.Get(Said, saidText); ok && want == Stands && t.Live().Turns[0].Content != saidText {
		err = fmt.Errorf("what was said before is not live: %v", t.Live().Turns)
	}
	return errors.Join(err, talk(w, l, true, "resumed one", "resumed two"))
}

// resumeKilled goes on with a conversation whose process was killed before it
// had anything on the disk.
func resumeKilled(_ context.Context, h *Home, l *Ledger) error {
	killed := &mortal{FS: h.FS}
	d := h.with(h.Dir, killed).Sessions(false)
	w, err := d.Create(session.Header{Channel: session.ChannelTerminal})
	if err != nil {
		return err
	}
	l.Set(Said, "before the kill", Either)
	_, err = w.AppendTurn(session.Turn{Role: session.RoleUser, Content: "before the kill"})
	killed.dead = true
	_ = w.Close() // it is dead
	if err != nil {
		return err
	}
	l.Set(Said, "before the kill", UntilOff)
	next, _, err := h.Sessions(true).Open(w.Path())
	if err != nil {
		return err
	}
	return talk(next, l, true, "after the kill")
}

// mortal is the file system of a process that may be killed.
type mortal struct {
	jsonl.FS
	dead bool
}

// OpenFile implements jsonl.FS.
func (m *mortal) OpenFile(name string, flag int, perm os.FileMode) (jsonl.File, error) {
	if m.dead {
		return nil, jsonltest.ErrCrash
	}
	return m.FS.OpenFile(name, flag, perm)
}

func talk(w *session.Writer, l *Ledger, lines bool, texts ...string) error {
	said := UntilOff
	if lines {
		said = Stands
	}
	var errs []error
	for i, text := range texts {
		l.Set(Said, text, Either)
		_, err := w.AppendTurn(session.Turn{Role: session.RoleUser, Content: text})
		if err == nil {
			for _, before := range texts[:i+1] {
				l.Set(Said, before, said)
			}
		}
		errs = append(errs, err, w.AppendEvent(session.Event{Name: session.EventExec}))
	}
	err := w.Close()
	if err == nil {
		for _, text := range texts {
			l.Set(Said, text, Stands)
		}
	}
	return errors.Join(append(errs, err)...)
}

// imports takes in two conversations, and the first of them again.
func imports(ctx context.Context, h *Home, l *Ledger) error {
	var turns []foreign.Turn
	for _, s := range []string{"standup", "retro"} {
		for n := 1; n <= 3; n++ {
			turns = append(turns, foreign.Turn{
				Session: s, Name: json.RawMessage(fmt.Sprint(n)), Time: time.Date(2026, 5, 10, 19, n, 0, 0, time.UTC),
				Role: session.RoleUser, Speaker: "Ada", Scope: "user", Text: fmt.Sprintf("%s: imported turn %d %s", s, n, strings.Repeat("x", 200)),
			})
		}
	}
	one := func(turns []foreign.Turn) error {
		for _, t := range turns {
			if w, _ := l.Get(Said, t.Text); w != Stands {
				l.Set(Said, t.Text, Either)
			}
		}
		_, _, err := foreign.Import(ctx, h.Sessions(true), turns)
		if err == nil {
			for _, t := range turns {
				l.Set(Said, t.Text, Stands)
			}
		}
		return err
	}
	return errors.Join(one(turns), one(turns[:3]))
}

// decide proposes three texts, and says yes to one, no to one and later to one.
func decide(ctx context.Context, h *Home, l *Ledger) error {
	e := h.Engine()
	yes, yerr := proposed(ctx, l, e, "proposed, to be accepted")
	no, nerr := proposed(ctx, l, e, "proposed, to be refused")
	later, lerr := proposed(ctx, l, h.Engine(), "proposed, to be put off")
	// It waits already, and a failure to say so changes nothing about that.
	_, aerr := h.Engine().Propose(ctx, engine.Suggestion{Record: memory.Record{Content: "proposed, to be put off", Origin: memory.OriginModel}})
	if aerr == nil {
		l.Set(Asked, "proposed, to be put off", Stands)
	}
	errs := []error{yerr, nerr, lerr, aerr}
	if yerr == nil {
		errs = append(errs, accepted(ctx, h, l, e, yes, "proposed, to be accepted"))
	}
	if nerr == nil {
		errs = append(errs, l.Do(Refused, "proposed, to be refused", Stands, Gone, func() error {
			_, err := e.Decide(ctx, no, engine.Answer{Verdict: review.No})
			return err
		}))
	}
	if lerr == nil {
		_, err := h.Engine().Decide(ctx, later, engine.Answer{Verdict: review.Later})
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// accepted says yes. A queue that could not be written is no loss: the memory has it.
func accepted(ctx context.Context, h *Home, l *Ledger, e *engine.Writer, ref, text string) error {
	l.Set(Active, text, Either)
	err := error(nil)
	if h.Bug.Accept != nil {
		err = h.Bug.Accept(ctx, h, ref)
	} else {
		_, err = e.Decide(ctx, ref, engine.Answer{Verdict: review.Yes})
	}
	var queue *engine.QueueError
	switch {
	case err == nil, errors.As(err, &queue):
		l.Set(Active, text, Stands)
	case !unsure(err):
		l.Set(Active, text, Gone)
	}
	return err
}

// sessionFiles are the conversations of a home, imported ones among them.
func (h *Home) sessionFiles() ([]string, error) {
	own, err := filepath.Glob(filepath.Join(h.Dir, "sessions", "*.jsonl"))
	if err != nil {
		return nil, err
	}
	imported, err := filepath.Glob(filepath.Join(h.Dir, "sessions", "import", "*.jsonl"))
	return append(own, imported...), err
}
