package app

import (
	"context"
	"errors"
	"strings"
	"time"

	"ken/internal/embed"
	"ken/internal/embed/vectors"
	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/text"
)

const (
	// batchTimes is by how much a batch may take longer than a question.
	batchTimes = 15
)

// FillWork is what there is to do until every memory has a vector.
type FillWork struct {
	Texts int // that have none
	Bytes int // of those
	Items int // memories that are to have one
	Spare int // rows that are of no use
}

// A Filler makes the vectors of memories. It holds no View, so that it may
// work beside one.
type Filler struct {
	client  *embed.Client
	space   vectors.Space
	path    string        // of the file of vectors
	timeout time.Duration // of a request; 0 for none
	state   func(context.Context) (*memory.State, error)
	off     func(scope string) bool
	mask    func(string) string
	now     func() time.Time
	data    string // the directory whose lock erasing holds
	// Progress is called after each batch with how many texts are done; nil: it is not.
	Progress func(done, of int)
}

// NewFiller returns what makes the vectors for the place where the person
// stands; nil if no embedding model is configured.
func NewFiller(a *View) (*Filler, error) {
	s, err := a.Embeddings()
	if err != nil || s == nil {
		return nil, err
	}
	e, err := a.Memory.Engine()
	if err != nil {
		return nil, err
	}
	a.Keys.Masker() // faults of it are reported here, not beside
	return &Filler{
		client: s.Client, space: s.Space, path: s.Path, timeout: s.Config.Timeout, state: e.State, off: a.Here.Off(), now: a.Now,
		data: a.Settings.Paths().Data,
		mask: a.Keys.MaskText,
	}, nil
}

// behind has the vectors that are missing made beside what the person does. That
// they cannot be made is reported by what asks the model next, and by doctor.
func behind(a *View) {
	if a.Settings.ReadOnly() {
		return
	}
	f, err := NewFiller(a)
	if err == nil && f != nil {
		a.Beside.Start(func(ctx context.Context) { _, _ = f.Fill(ctx) })
	}
}

// A wanted is what a memory is to have a vector of.
type wanted struct {
	ref  string
	key  vectors.Key
	said string
}

// texts are those of the memories that are true now, by reference.
func (f *Filler) texts(ctx context.Context) (list []wanted, keys map[string]vectors.Key, err error) {
	s, err := f.state(ctx)
	if s == nil {
		return nil, nil, err
	}
	now := f.now()
	keys = make(map[string]vectors.Key)
	for _, it := range asof.Items(s, now) {
		said := text.CutBytes(f.mask(it.Record.Content), maxText)
		if f.off(string(it.Record.Scope)) || strings.TrimSpace(said) == "" {
			continue
		}
		t := wanted{it.Ref(), vectors.KeyOf(said), said}
		list = append(list, t)
		keys[t.ref] = t.key
	}
	return list, keys, nil
}

// Preview returns what there is to do. Nothing is asked, and nothing written but a
// lock.
func (f *Filler) Preview(ctx context.Context) (FillWork, error) {
	w, err := vectors.Edit(ctx, f.path, f.space)
	if err != nil {
		return FillWork{}, err
	}
	list, _, err := f.texts(ctx)
	work, missing := FillWork{Items: len(list)}, missing(w, list)
	work.Texts = len(missing)
	for _, t := range missing {
		work.Bytes += len(t.said)
	}
	work.Spare = max(w.Rows()-(work.Items-work.Texts), 0)
	return work, errors.Join(err, w.Close())
}

func missing(w *vectors.Writer, list []wanted) (none []wanted) {
	for _, t := range list {
		if !w.Has(t.ref, t.key) {
			none = append(none, t)
		}
	}
	return none
}

// Fill makes the vectors that are missing, in batches, and takes away those of no
// use. It returns how many it made. It goes on where it was ended. The error wraps
// jsonl.ErrBusy where another ken is doing it.
func (f *Filler) Fill(ctx context.Context) (made int, err error) {
	w, err := vectors.Edit(ctx, f.path, f.space)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	list, _, err := f.texts(ctx)
	if err != nil {
		return 0, err
	}
	todo := missing(w, list)
	of := len(todo)
	for len(todo) > 0 {
		batch := todo[:min(len(todo), embed.MostTexts)]
		n, anew, err := f.batch(ctx, w, batch)
		if err != nil {
			return made, err
		}
		made += n
		todo = todo[len(batch):]
		if anew { // the model makes others now, or the file was deleted
			todo = missing(w, list)
			of = made + len(todo)
		}
		if f.Progress != nil {
			f.Progress(made, of)
		}
	}
	return made, f.tidy(ctx, w)
}

// batch makes the vectors of some texts. anew says that those before are gone.
func (f *Filler) batch(ctx context.Context, w *vectors.Writer, batch []wanted) (made int, anew bool, err error) {
	said := make([]string, len(batch))
	for i, t := range batch {
		said[i] = t.said
	}
	ask, cancel := ctx, context.CancelFunc(func() {})
	if f.timeout > 0 {
		ask, cancel = context.WithTimeout(ctx, batchTimes*f.timeout)
	}
	defer cancel()
	list, err := f.client.Embed(ask, said)
	if err != nil {
		return 0, false, err
	}
	before := w.Rows()
	if err := w.Ready(len(list[0])); err != nil {
		return 0, false, err
	}
	// What was erased while the model thought must not come back: it is in no
	// state now, or else the file is deleted after this.
	_, keys, err := f.texts(ctx)
	if err != nil {
		return 0, false, err
	}
	var rows []vectors.Row
	for i, t := range batch {
		if key, ok := keys[t.ref]; ok && key == t.key {
			rows = append(rows, vectors.Row{Ref: t.ref, Key: t.key, Vector: list[i]})
		}
	}
	return len(rows), w.Rows() < before, w.Add(rows)
}

// tidy takes the rows away that are of no use, if there are any: those of what
// was forgotten among them.
func (f *Filler) tidy(ctx context.Context, w *vectors.Writer) error {
	_, keys, err := f.texts(ctx)
	if err != nil {
		return err
	}
	wanted := func(ref string, key vectors.Key) bool { return keys[ref] == key }
	_, err = w.Compact(ctx, wanted, func(swap func() error) error {
		lock, err := jsonl.LockDir(ctx, f.data, lockWait)
		if err != nil {
			return err
		}
		return errors.Join(swap(), lock.Unlock())
	})
	if errors.Is(err, vectors.ErrNone) {
		return nil // it was deleted, and all is well
	}
	return err
}
