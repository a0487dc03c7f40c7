package battery

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/session"
)

// Hand has ken work in one process while a person edits its files, and compares
// what that process sees after each step with what a fresh one does.
type Hand struct {
	Ops  int // operations; about one edit for ten of them
	Seed uint64
	Bug  Bug
	Temp func() string
}

// Do runs it. A case is a step.
func (d Hand) Do(ctx context.Context) (Report, error) {
	var r Report
	rng := rand.New(rand.NewPCG(d.Seed, 9))
	h := NewHome(d.Temp())
	h.Bug = d.Bug
	if err := Start(ctx, h.with(h.Dir, Unsynced{}), NewLedger()); err != nil {
		return r, err
	}
	e := h.Engine() // open all the time
	w, err := h.Sessions(true).Create(session.Header{Channel: session.ChannelTerminal})
	if err != nil {
		return r, err
	}
	defer func() { _ = w.Close() }() // the cases have said what there is to say
	if _, err := w.AppendTurn(session.Turn{Role: session.RoleUser, Content: "first"}); err != nil {
		return r, err
	}
	files := []string{h.Memory(), h.Review(), w.Path()}
	for n := range d.Ops {
		step := "no edit"
		if rng.IntN(10) == 0 {
			ed, path := handEdits()[rng.IntN(len(handEdits()))], files[rng.IntN(len(files))]
			if err := ed.Do(path, rng); err != nil {
				return r, err
			}
			step = ed.Name + " " + filepath.Base(path)
		}
		before, err := linesOf(h)
		if err != nil {
			return r, err
		}
		text := fmt.Sprintf("text %d", n)
		switch l := NewLedger(); rng.IntN(4) {
		case 0, 1:
			step += ", remember"
			err = stated(ctx, h, l, e, text)
			err = errors.Join(err, d.sees(ctx, h, e, text))
		case 2:
			step += ", propose"
			_, err = proposed(ctx, l, e, text)
			err = errors.Join(err, hasLine(h.Review(), text))
		case 3:
			step += ", say"
			say := func() error {
				_, err := w.AppendTurn(session.Turn{Role: session.RoleUser, Content: text})
				return err
			}
			if d.Bug.Say != nil {
				err = d.Bug.Say(w.Path(), text)
			} else {
				err = say()
			}
			err = errors.Join(err, hasLine(w.Path(), text))
		}
		err = errors.Join(err, stay(h, before), d.fresh(ctx, h, e))
		r.Add(err, "step %d: %s", n, step)
		if err != nil && len(r.Wrong) >= 3 {
			return r, nil
		}
	}
	return r, nil
}

type stater interface {
	State(ctx context.Context) (*memory.State, error)
}

// sees checks that the process that wrote a text sees it, and under a number that
// no other line has.
func (d Hand) sees(ctx context.Context, h *Home, e stater, text string) error {
	s, err := e.State(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(s.Items(), func(it memory.Item) bool { return it.Record.Content == text })
	if i < 0 {
		return fmt.Errorf("%w: %q", ErrLost, text)
	}
	id := fmt.Sprintf(`"id":%d,`, s.Items()[i].ID.N)
	named := 0
	err = eachLine(h.Memory(), func(l jsonl.Line) error {
		if strings.Contains(string(l.Bytes), id) {
			named++
		}
		return nil
	})
	if err == nil && named != 1 {
		err = fmt.Errorf("%d lines have %s", named, id)
	}
	return err
}

// fresh checks that the open process and a new one see the same, and tell the
// same.
func (d Hand) fresh(ctx context.Context, h *Home, e stater) error {
	s, err := e.State(ctx)
	if err != nil {
		return err
	}
	f, err := Read(ctx, h)
	if err != nil {
		return err
	}
	if got, want := contents(s.Items()), contents(f.state.Items()); !slices.Equal(got, want) {
		return fmt.Errorf("the open process sees %d memories, a new one %d", len(got), len(want))
	}
	if got, want := len(s.Problems()), len(f.state.Problems()); got != want {
		return fmt.Errorf("the open process tells of %d problems, a new one of %d", got, want)
	}
	return errors.Join(f.tells(h.Review()), f.tellsMarks(h.Memory()))
}

// tellsMarks is tells for a file whose first line may begin with a byte order
// mark, which is none of its text.
func (f *Found) tellsMarks(path string) error {
	return eachLine(path, func(l jsonl.Line) error {
		text := strings.TrimPrefix(string(l.Bytes), "\ufeff")
		if unreadableLine([]byte(text)) && !slices.Contains(f.problems[path], l.Number) {
			return fmt.Errorf("%s: line %d cannot be read, and nothing reports it: %.40q", filepath.Base(path), l.Number, text)
		}
		return nil
	})
}

// hasLine checks that a line of its own has the text.
func hasLine(path, text string) error {
	found := false
	err := eachLine(path, func(l jsonl.Line) error {
		found = found || strings.Contains(string(l.Bytes), `"content":"`+text+`"`) && !unreadableLine(l.Bytes)
		return nil
	})
	if err == nil && !found {
		err = fmt.Errorf("%w: %q", ErrLost, text)
	}
	return err
}
