package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ken/internal/app"
	"ken/internal/embed/vectors"
	"ken/internal/jsonl"
	"ken/internal/view"
)

// leastWait is how long a doctor waits for the server at least.
const leastWait = 2 * time.Second

// embeddings looks at the embedding model, if one is configured.
func (d *doctor) embeddings(ctx context.Context) {
	if s := d.embedding(ctx); s.Level != "" {
		d.found = append(d.found, s)
	}
}

// embedding is the state of the embedding model; the zero Sign if none is configured.
func (d *doctor) embedding(ctx context.Context) view.Sign {
	sign := view.Sign{Level: view.SignOK, What: "embeddings"}
	gap := func(says, next string) view.Sign {
		return view.Sign{Level: view.SignGap, What: sign.What, Says: says, Next: next}
	}
	embeddings, err := d.h.Embeddings()
	if err != nil {
		return gap(err.Error(), d.person.NextStep(err))
	}
	if embeddings == nil {
		return view.Sign{}
	}
	sign.Says = embeddings.Config.Model + ", no key"
	if embeddings.From != "" {
		sign.Says = embeddings.Config.Model + ", key from " + embeddings.From
	}
	made := 0 // numbers of a vector
	if d.o.Offline {
		sign.Says += "; its server was not asked"
	} else {
		ask, cancel := context.WithTimeout(ctx, max(embeddings.Config.Timeout, leastWait))
		defer cancel()
		list, err := embeddings.Client.Embed(ask, []string{"ken"})
		if err != nil {
			return gap(err.Error(), d.person.NextStep(err))
		}
		made = len(list[0])
	}
	anew := d.person.Verb("memory embed")
	switch file, err := vectors.Open(embeddings.Path, embeddings.Space); {
	case err == nil:
		kept := file.Length()
		_ = file.Close() // it was only read
		if made > 0 && kept != made {
			return gap(fmt.Sprintf("%s makes vectors of %d numbers now, and those that are kept have %d", embeddings.Config.Model, made, kept), anew)
		}
	case !errors.Is(err, vectors.ErrNone) || errors.Is(err, vectors.ErrDamaged):
		return gap(err.Error(), anew)
	}
	f, err := app.NewFiller(d.h)
	if err != nil {
		return gap(err.Error(), d.person.NextStep(err))
	}
	work, err := f.Preview(ctx)
	switch {
	case errors.Is(err, jsonl.ErrBusy):
		sign.Says += "; another ken is making vectors"
	case err != nil:
		return gap(err.Error(), d.person.NextStep(err))
	case work.Texts > 0:
		sign.Level, sign.Next = view.SignNote, anew+"; the shell makes them by itself"
		sign.Says += fmt.Sprintf("; %d of %s have no vector yet", work.Texts, view.Thousands(work.Items, "item"))
	default:
		sign.Says += fmt.Sprintf("; all of %s have a vector", view.Thousands(work.Items, "item"))
	}
	return sign
}
