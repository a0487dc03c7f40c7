package undo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"ken/internal/regular"
	"ken/internal/termsafe"
	"ken/internal/tool/edit"
	"ken/internal/tool/swap"
)

// A Step takes one act back.
type Step struct {
	Act  Act    // what it is itself, to be written to the session once it is done
	Diff string // unified: of the file as it is to what it will be

	room Room
	of   Act // what it takes back
	now  state
	then state
}

// A state is a file at a time.
type state struct {
	b    []byte // nil: it is not there; of a link what it leads to, of a directory none
	mode fs.FileMode
	form swap.Form // "": a file of any mode
}

// A Conflict says that a file is not as the act left it.
type Conflict struct {
	Act   Act
	Made  string // unified: what the act changed; "" if that is not kept any more
	Since string // unified: what was changed since; "" if that is not known
	Gone  bool   // the file is not there any more
	Never bool   // the file is as it was before the act: there is nothing to take back
	Is    string // what stands in its place, if that is no file that is changed: "a link by now"; else ""
}

// Error says it in a line.
func (c *Conflict) Error() string {
	path := termsafe.Line(c.Act.Path)
	switch {
	case c.Never:
		return path + " is as it was before " + c.Act.ID + ": there is nothing to undo"
	case c.Gone:
		return path + " is not there any more: nothing is undone"
	case c.Is != "":
		return path + " " + c.Is + ": nothing is undone"
	}
	return path + " was changed since " + c.Act.ID + ": nothing is undone"
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
	files := map[string]state{} // as they will be
	fresh := map[string]bool{}  // directories that will be made, in which nothing is
	steps := make([]Step, 0, len(acts))
	for _, a := range acts {
		now, seen := files[a.Path]
		if seen = seen || isIn(fresh, a.Path); !seen {
			var err error
			if now, err = r.found(a); err != nil {
				return nil, err
			}
		}
		if now.sum() != a.After || a.Is != "" && now.form != "" && now.form != a.Is {
			return nil, r.conflict(a, now)
		}
		then := state{mode: a.Mode, form: a.Was}
		switch {
		case a.Before == "":
		case a.Was.IsDir():
			then.b = []byte{}
			fresh[a.Path] = now.b == nil
		default:
			b, err := r.Get(a.Before)
			if err != nil {
				return nil, fmt.Errorf("undo %s of %s: %w", a.ID, a.Path, err)
			}
			then.b = append([]byte{}, b...)
		}
		files[a.Path] = then
		back := Act{
			ID: NewID(), Time: r.Now(), Tool: Tool, Path: a.Path, Before: a.After, After: a.Before, Who: who, Run: run, Undoes: a.ID,
			Was: a.Is, Is: a.Was,
		}
		if then.b == nil {
			back.Mode = now.mode
		} else if now.b != nil {
			then.mode = now.mode // who changed that since keeps it
			files[a.Path] = then
		}
		s := Step{Act: back, Diff: made(back, now.b, then.b), room: r, of: a, now: now, then: then}
		if !seen {
			if err := s.swap().Check(); err != nil {
				return nil, r.refused(a, err)
			}
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// Do takes the act back, if the file is still as it was planned. What the file held is kept first, so that this can be taken back.
func (s Step) Do(ctx context.Context) error {
	if s.now.b != nil && !s.now.form.IsDir() {
		if _, err := s.room.Keep(ctx, s.now.b); err != nil {
			return err
		}
	}
	if err := s.room.Alone(ctx, s.swap().Do); err != nil {
		return s.room.refused(s.of, err)
	}
	return nil
}

// Back has the file again as it was before Do, if nobody changed it since.
func (s Step) Back(ctx context.Context) error {
	return s.room.Alone(ctx, Step{
		Act: Act{Path: s.Act.Path, Before: s.Act.After, Was: s.Act.Is, Is: s.Act.Was}, then: s.now,
	}.swap().Do)
}

func (s Step) swap() swap.Swap {
	return swap.Swap{
		Path: s.Act.Path, Before: s.Act.Before, After: s.then.b, Gone: s.then.b == nil, Mode: s.then.mode,
		Was: s.Act.Was, Is: s.Act.Is, Large: formed(s.Act),
	}
}

// refused is why a file cannot be changed, as a *Conflict where what stands at its path is the reason.
func (r Room) refused(a Act, err error) error {
	switch {
	case errors.Is(err, swap.ErrChanged):
		now, err := r.found(a)
		if err != nil {
			return err
		}
		return r.conflict(a, now)
	case errors.Is(err, swap.ErrMoved):
		return r.is(a, "leads elsewhere by now")
	case errors.Is(err, swap.ErrNames):
		return r.is(a, "has several names (hard links) by now")
	}
	return fmt.Errorf("undo %s: %w", a.ID, err)
}

// Diff is what an act changed, unified; ErrGone if that is not kept any more.
func (r Room) Diff(a Act) (string, error) {
	sides := [2][]byte{}
	for i, sum := range []string{a.Before, a.After} {
		if sum == "" {
			continue
		}
		if sum == swap.Sum(nil) {
			sides[i] = []byte{}
			continue
		}
		b, err := r.Get(sum)
		if err != nil {
			return "", err
		}
		sides[i] = append([]byte{}, b...)
	}
	return made(a, sides[0], sides[1]), nil
}

func (r Room) conflict(a Act, now state) *Conflict {
	c := &Conflict{Act: a, Gone: now.b == nil, Never: now.sum() == a.Before && (a.Was == "" || now.form == "" || now.form == a.Was)}
	if text, err := r.Diff(a); err == nil {
		c.Made = text
	}
	if after, err := r.Get(a.After); err == nil && now.b != nil && !c.Never {
		c.Since = difference(a.Path, after, now.b)
	}
	return c
}

// is is the conflict of what stands in the place of a file.
func (r Room) is(a Act, what string) *Conflict {
	c := &Conflict{Act: a, Is: what}
	c.Made, _ = r.Diff(a) // not kept any more: not shown
	return c
}

// found is the file of an act as it is.
func (r Room) found(a Act) (state, error) {
	now, err := nowOf(a)
	switch {
	case errors.Is(err, regular.ErrTooLong):
		return state{}, r.is(a, fmt.Sprintf("has more than %d bytes by now", mostOf(a)))
	case errors.Is(err, regular.ErrNotFile):
		return state{}, r.is(a, "is no file by now")
	case err != nil:
		return state{}, fmt.Errorf("undo %s: %w", a.ID, err)
	}
	return now, nil
}

// sum names what it holds; "" is for a file that is not there.
func (s state) sum() string {
	if s.b == nil {
		return ""
	}
	return swap.Sum(s.b)
}

// isIn reports whether a path is below one of some directories.
func isIn(dirs map[string]bool, path string) bool {
	for up := filepath.Dir(path); up != filepath.Dir(up); up = filepath.Dir(up) {
		if dirs[up] {
			return true
		}
	}
	return false
}

// difference is what became of a file, unified. nil is a file that is not there.
func difference(path string, before, after []byte) string {
	path = termsafe.Line(path)
	for _, b := range [][]byte{before, after} {
		if !utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0 {
			return fmt.Sprintf("--- %s\n+++ %s\nbinary: %s, then %s\n", path, path, length(before), length(after))
		}
	}
	if d := edit.Diff(path, string(before), string(after)); d != "" {
		return d
	}
	return fmt.Sprintf("--- %s\n+++ %s\nno lines: %s, then %s\n", path, path, length(before), length(after))
}

func length(b []byte) string {
	if b == nil {
		return "not there"
	}
	return fmt.Sprintf("%d bytes", len(b))
}
