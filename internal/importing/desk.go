package importing

import (
	"context"
	"crypto/rand"
	"slices"
	"sync"

	"ken/internal/app"
	"ken/internal/fault"
	"ken/internal/view"
)

// mostUndo is how many imports of a desk can be taken back: the last ones.
const mostUndo = 16

// A Desk imports for one person at a face, and remembers what can be taken back. It is safe for concurrent use.
type Desk struct {
	memory *app.App
	who    app.Actor

	mu   sync.Mutex // guards what follows
	undo map[string]Undo
	ids  []string // of undo, oldest first
}

// NewDesk returns a desk for one person.
func NewDesk(memory *app.App, who app.Actor) *Desk {
	return &Desk{memory: memory, who: who, undo: make(map[string]Undo)}
}

func (d *Desk) view() *app.View { return d.memory.View(app.Standing{Actor: d.who}) }

// Run is the function Run in the hands of the person, who stands nowhere. id is for Undo; "": nothing was written.
func (d *Desk) Run(ctx context.Context, r Request, sources ...Source) (done Result, id string, err error) {
	done, err = Run(ctx, d.view(), r, sources...)
	if done.Undo.IsEmpty() {
		return done, "", err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	id = rand.Text()
	d.undo[id], d.ids = done.Undo, append(d.ids, id)
	if len(d.ids) > mostUndo {
		delete(d.undo, d.ids[0])
		d.ids = d.ids[1:]
	}
	return done, id, err
}

// Undo takes back the import with an id, once. Errors: there is none; those of Undo.Run.
func (d *Desk) Undo(ctx context.Context, id string) (done view.ImportUndone, err error) {
	d.mu.Lock()
	u, ok := d.undo[id]
	delete(d.undo, id) // nobody else takes it back meanwhile
	d.mu.Unlock()
	if !ok {
		return done, fault.NotFoundf("that import cannot be taken back here any more").
			WithHint("say no to what waits of it: %s", fault.Command("review"))
	}
	done, err = u.Run(ctx, d.view())
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := slices.Index(d.ids, id); err == nil && i >= 0 {
		d.ids = slices.Delete(d.ids, i, i+1)
	} else if i >= 0 {
		d.undo[id] = u
	}
	return done, err
}
