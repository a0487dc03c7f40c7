package rehearsal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"

	"ken/internal/session"
	"ken/internal/tool/swap"
	"ken/internal/undo"
)

// Tool is the tool of an act that a rehearsal did.
const Tool = "rehearsal"

// A Hand is who applies, and where that is kept.
type Hand struct {
	Room undo.Room
	// Record has an act in the session, on the disk when it returns nil, before it is done.
	Record func(session.Event) error
	Who    string
}

// ErrUnfit says that a report cannot be applied.
var ErrUnfit = errors.New("this cannot be applied")

// Apply makes the changes of a report, all or none, and returns the acts, the oldest first. Errors: swap.ErrChanged where
// something is not any more as it was shown, ErrUnfit, and what kept it from being done; then what was done was taken
// back, and acts are those that could not be.
func (r Outcome) Apply(ctx context.Context, d Hand) (acts []undo.Act, err error) {
	if r.Unfit != "" {
		return nil, fmt.Errorf("%w: %s", ErrUnfit, r.Unfit)
	}
	gone := map[string]bool{}
	for _, c := range r.Changes {
		gone[c.Name] = gone[c.Name] || c.Gone()
		if !(c.Made() && inPlaceOf(gone, c.Name)) && !c.stands() {
			return nil, fmt.Errorf("%s: %w", c.Name, swap.ErrChanged)
		}
	}
	if err := d.Room.Tidy(ctx); err != nil {
		return nil, err
	}
	run := undo.NewID()
	for _, c := range r.Changes {
		if err = ctx.Err(); err != nil {
			err = context.Cause(ctx)
			break
		}
		a := undo.Act{
			ID: undo.NewID(), Time: d.Room.Now(), Tool: Tool, Path: c.path, Who: d.Who, Run: run,
			Before: c.Was.Sum, After: c.Is.Sum, Was: c.Was.Form, Is: c.Is.Form,
		}
		if err = c.apply(ctx, d, a); err != nil {
			break
		}
		acts = append(acts, a)
	}
	if err == nil {
		return acts, nil
	}
	return d.takeBack(context.WithoutCancel(ctx), acts, err)
}

// apply makes one change.
func (c Change) apply(ctx context.Context, d Hand, a undo.Act) error {
	s := swap.Swap{Path: c.path, Before: a.Before, Gone: c.Gone(), Was: a.Was, Is: a.Is, Large: true}
	if c.Was.Form == swap.Link || c.Was.IsFile() {
		b, err := c.Was.bytes(c.path)
		if err == nil {
			_, err = d.Room.Keep(ctx, b)
		}
		if err != nil {
			return err
		}
	}
	if c.Is.Form == swap.Link || c.Is.IsFile() {
		b, err := c.Is.bytes(c.upper)
		if err == nil && len(b) <= swap.Most { // what is larger is only needed to show a difference
			_, err = d.Room.Keep(ctx, b)
		}
		if err != nil {
			return err
		}
		s.After, s.Time = b, c.Is.info.ModTime()
	}
	if err := d.Record(a.Event()); err != nil {
		return err
	}
	if err := d.Room.Alone(ctx, s.Do); err != nil {
		return errors.Join(err, d.Record(a.Void()))
	}
	return nil
}

// inPlaceOf reports whether a name, or a directory above it, is where something goes first.
func inPlaceOf(gone map[string]bool, name string) bool {
	for ; name != "."; name = path.Dir(name) {
		if gone[name] {
			return true
		}
	}
	return false
}

// stands reports whether a path is as it was shown.
func (c Change) stands() bool {
	now, err := (&Stage{}).node(c.path)
	return err == nil && now.same(c.Was)
}

// bytes are those of a node at a path, if it still has them.
func (n Node) bytes(path string) ([]byte, error) {
	var b []byte
	var err error
	if n.Form == swap.Link {
		var to string
		to, err = os.Readlink(path)
		b = []byte(to)
	} else {
		b, err = os.ReadFile(path)
	}
	if err == nil && swap.Sum(b) != n.Sum {
		err = swap.ErrChanged
	}
	return b, err
}

// takeBack takes acts back after err, and returns those that it could not.
func (d Hand) takeBack(ctx context.Context, acts []undo.Act, err error) ([]undo.Act, error) {
	for len(acts) > 0 {
		last := acts[len(acts)-1]
		steps, perr := d.Room.Plan([]undo.Act{last}, d.Who, last.Run)
		if perr == nil {
			if perr = steps[0].Do(ctx); perr == nil {
				perr = d.Record(steps[0].Act.Event())
			}
		}
		if perr != nil {
			return acts, errors.Join(err, perr)
		}
		acts = acts[:len(acts)-1]
	}
	return nil, err
}
