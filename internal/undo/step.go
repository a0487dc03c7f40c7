package undo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"ken/internal/tool/edit"
	"ken/internal/tool/swap"
)

// A Step takes one act back.
type Step struct {
	Act  Act    // what it is itself, to be written to the session once it is done
	Diff string // unified: of the file as it is to what it will be

	room Room
	now  []byte // what the file holds now
	then []byte
}

// A Conflict says that a file is not as the act left it.
type Conflict struct {
	Act   Act
	Made  string // unified: what the act changed; "" if that is not kept any more
	Since string // unified: what was changed since; "" if that is not known
	Gone  bool   // the file is not there any more
	Never bool   // the file is as it was before the act: there is nothing to take back
}

// Error says it in a line.
func (c *Conflict) Error() string {
	switch {
	case c.Never:
		return c.Act.Path + " is as it was before " + c.Act.ID + ": there is nothing to undo"
	case c.Gone:
		return c.Act.Path + " is not there any more: nothing is undone"
	}
	return c.Act.Path + " was changed since " + c.Act.ID + ": nothing is undone"
}

// Show is the difference three ways: what the act changed, and what was changed since.
func (c *Conflict) Show() string {
	var sb strings.Builder
	if c.Made != "" {
		sb.WriteString("what " + c.Act.ID + " changed:\n" + c.Made)
	}
	if c.Since != "" {
		sb.WriteString("what was changed since:\n" + c.Since)
	}
	return sb.String()
}

// Plan is what takes acts back, in their order: the newest first. Nothing is changed. who asks for
// it, and run is what it is a part of. The error is a *Conflict if a file is not as an act left it, or
// ErrGone.
func (r Room) Plan(acts []Act, who, run string) ([]Step, error) {
	if len(acts) == 0 {
		return nil, errors.New("there is nothing to undo")
	}
	files := map[string][]byte{} // as they will be; nil: not there
	steps := make([]Step, 0, len(acts))
	for _, a := range acts {
		now, seen := files[a.Path]
		if !seen {
			b, there, err := held(a.Path)
			if err != nil {
				return nil, fmt.Errorf("undo %s: %w", a.ID, err)
			}
			if now = nil; there {
				now = append([]byte{}, b...)
			}
		}
		if sumOf(now) != a.After {
			return nil, r.conflict(a, now)
		}
		var then []byte
		if a.Before != "" {
			b, err := r.Get(a.Before)
			if err != nil {
				return nil, fmt.Errorf("undo %s of %s: %w", a.ID, a.Path, err)
			}
			then = append([]byte{}, b...)
		}
		files[a.Path] = then
		back := Act{ID: NewID(), Time: r.Now(), Tool: Tool, Path: a.Path, Before: a.After, After: a.Before, Who: who, Run: run, Undoes: a.ID}
		steps = append(steps, Step{Act: back, Diff: edit.Diff(a.Path, text(now), text(then)), room: r, now: now, then: then})
	}
	return steps, nil
}

// Do takes the act back, if the file is still as it was planned. What the file held is kept first, so that this can be taken back.
func (s Step) Do(ctx context.Context) error {
	if s.now != nil {
		if _, err := s.room.Keep(ctx, s.now); err != nil {
			return err
		}
	}
	err := swap.Swap{Path: s.Act.Path, Before: s.Act.Before, After: s.then, Gone: s.then == nil}.Do()
	if errors.Is(err, swap.ErrChanged) {
		return &Conflict{Act: Act{ID: s.Act.Undoes, Path: s.Act.Path}}
	}
	return err
}

// Diff is what an act changed, unified; ErrGone if that is not kept any more.
func (r Room) Diff(a Act) (string, error) {
	sides := [2]string{}
	for i, sum := range []string{a.Before, a.After} {
		if sum == "" {
			continue
		}
		b, err := r.Get(sum)
		if err != nil {
			return "", err
		}
		sides[i] = text(b)
	}
	return edit.Diff(a.Path, sides[0], sides[1]), nil
}

func (r Room) conflict(a Act, now []byte) *Conflict {
	c := &Conflict{Act: a, Gone: now == nil, Never: sumOf(now) == a.Before}
	if made, err := r.Diff(a); err == nil {
		c.Made = made
	}
	if after, err := r.Get(a.After); err == nil && now != nil && !c.Never {
		c.Since = edit.Diff(a.Path, text(after), text(now))
	}
	return c
}

// held is what the file at path holds.
func held(path string) (b []byte, there bool, err error) {
	b, _, err = swap.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return b, err == nil, err
}

// sumOf names bytes; "" is for a file that is not there.
func sumOf(b []byte) string {
	if b == nil {
		return ""
	}
	return swap.Sum(b)
}

// text is what a difference shows of bytes.
func text(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return strings.ToValidUTF8(string(b), "\ufffd")
}
