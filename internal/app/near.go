package app

import (
	"context"
	"errors"
	"strings"

	"ken/internal/embed/vectors"
	"ken/internal/fault"
	"ken/internal/index"
	"ken/internal/index/live"
	"ken/internal/recall"
	"ken/internal/text"
)

const (
	// deep is how many hits of a search are wanted where embeddings are added to
	// them.
	deep = 200
	// mostNear is how many rows are looked at, the nearest ones.
	mostNear = 100
	// maxText is how much of a text is sent, in bytes: embedding models read some
	// hundreds of words, and refuse or cut what is longer.
	maxText = 6000
)

// A nearQuery is a search for words to which embeddings are added.
type nearQuery struct {
	Memory *live.Memory
	// Corpora are those of Memory, to read documents from; nil: Memory's own.
	Corpora []*index.Corpus
	Text    string // the question
	// Keep reports whether a document may be a hit.
	Keep func(c *index.Corpus, r *index.Row) bool
	K    int // the most hits; 0 or less: all
}

// embeds reports whether an embedding model is configured, as it should be; that it is
// not quite is reported.
func embeds(a *View) bool {
	s, err := a.Embeddings()
	if err != nil {
		a.Warn(fault.Once(err))
	}
	return s != nil
}

// fuseNear adds to hits, best first, what is near in meaning. In the shell it has the
// vectors that are missing made beside.
func fuseNear(ctx context.Context, a *View, s nearQuery, hits []recall.Hit) []recall.Hit {
	m, err := near(ctx, a, s, hits)
	if err != nil && ctx.Err() == nil {
		a.Warn(fault.Once(err))
	}
	if a.Stays() && (err == nil || errors.Is(err, vectors.ErrDamaged)) {
		behind(a)
	}
	return recall.Fuse(hits, m, s.K)
}

// near asks what is near; empty Embeddings where that cannot be known.
func near(ctx context.Context, a *View, s nearQuery, hits []recall.Hit) (none recall.Embeddings, err error) {
	embeddings, err := a.Embeddings()
	if err != nil || embeddings == nil || strings.TrimSpace(s.Text) == "" {
		return none, err
	}
	file, err := vectors.Open(embeddings.Path, embeddings.Space)
	if errors.Is(err, vectors.ErrNone) {
		if errors.Is(err, vectors.ErrDamaged) {
			return none, fault.New(fault.Failure, err).WithHint("make them anew: %s", fault.Command("memory embed"))
		}
		return none, nil
	}
	if err != nil {
		return none, err
	}
	defer func() { _ = file.Close() }() // it is only read
	if resting(a, embeddings.Path) {
		return none, nil
	}
	ask, cancel := ctx, context.CancelFunc(func() {})
	if embeddings.Config.Timeout > 0 {
		ask, cancel = context.WithTimeout(ctx, embeddings.Config.Timeout)
	}
	defer cancel()
	list, err := embeddings.Client.Embed(ask, []string{text.CutBytes(a.Keys.MaskText(s.Text), maxText)})
	if err != nil {
		if !a.Settings.ReadOnly() {
			rest(embeddings.Path, err)
		}
		return none, err
	}
	keys := make(map[string]vectors.Key) // of the best hits, by reference
	var wanted []vectors.Key
	for _, h := range hits {
		if h.In == index.Memory && len(wanted) < recall.Vouchers {
			keys[h.Ref] = vectors.KeyOf(text.CutBytes(a.Keys.MaskText(h.Content), maxText))
			wanted = append(wanted, keys[h.Ref])
		}
	}
	c, err := file.Compare(ctx, list[0], mostNear, wanted...)
	if err != nil {
		return none, fault.New(fault.Failure, err).WithHint("%s", fault.Command("memory embed"))
	}
	if c.Bad > 0 {
		a.Warn(fault.Once(fault.Failuref("%d of the vectors that are kept are damaged", c.Bad).WithHint("%s", fault.Command("memory embed"))))
	}
	m := recall.Embeddings{
		Count: c.Rows, Median: c.Median, Spread: c.Spread,
		Of: func(h *recall.Hit) (float64, bool) {
			key, ok := keys[h.Ref]
			if !ok {
				return 0, false
			}
			like, ok := c.Of[key]
			return like, ok
		},
	}
	for _, n := range c.Best {
		if d := s.document(a, n); d != nil {
			m.Nearest = append(m.Nearest, recall.Neighbour{Document: d, Cosine: n.Like})
		}
	}
	return m, nil
}

// document is what a row was made of; nil if it is not there any more, or may be
// no hit.
func (s *nearQuery) document(a *View, n vectors.Near) *index.Document {
	corpus, doc, ok := s.Memory.Find(n.Ref)
	if !ok {
		return nil
	}
	corpora := s.Corpora
	if corpora == nil {
		corpora = s.Memory.Corpora
	}
	c := corpora[corpus]
	r := c.Rows.At(doc)
	if r.Flags&index.Deleted != 0 || !s.Keep(c, r) {
		return nil
	}
	d, err := c.Document(doc)
	if err != nil || vectors.KeyOf(text.CutBytes(a.Keys.MaskText(d.Content), maxText)) != n.Key {
		return nil // it was edited since; a search for words reports faults
	}
	return d
}
