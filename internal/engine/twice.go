package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"ken/internal/conflict"
	"ken/internal/memory"
	"ken/internal/memory/asof"
)

// A sketched log keeps the Sketches of each line beside it. With them it finds the lines that may
// be near a text, or may have to do with a key, without reading the others.
type sketched interface {
	memory.Tipper
	// Lines yields the lines before at whose sketches pick takes, forgotten ones too. pick gets
	// some sketches at a time, and appends the places of those that it takes. Lines may yield other
	// lines, and a line twice. An error ends it.
	Lines(ctx context.Context, at memory.Cursor, pick func(sketches []uint64, taken []int) []int) iter.Seq2[*memory.Record, error]
	// LinesOf is Lines for a few sketches. It does not take longer in a longer log.
	LinesOf(ctx context.Context, at memory.Cursor, sketches ...uint64) iter.Seq2[*memory.Record, error]
}

// MostNear is how many near items a Receipt names at most, and MostOver how many that may be over.
const (
	MostNear = 3
	MostOver = 9
)

// errAlike says that a text like the one to be stated stands on some line, so
// that the state has to be asked what became of it.
var errAlike = errors.New("something like it was stated")

// A newcomer is a text that is to be stated.
type newcomer struct {
	Reading
	sketch uint64
	near   *SketchFilter      // nil: only the same text is looked for
	claims conflict.Reading   // what it conflicts by; nothing likewise
	values []uint64           // the marks of what it gives a value
	gone   []uint64           // the bits of what it says has ended
	key    string             // that it takes; "" for none
	bound  map[memory.ID]bool // what lines have bind; see holds
}

func newNewcomer(text string, near bool) *newcomer {
	n := &newcomer{Reading: ReadText(text)}
	n.sketch = n.Sketch()
	if near {
		n.near, n.claims = NewSketchFilter(n.sketch), conflict.Read(text)
		n.values = valueMarks(n.claims.Patterns)
		for _, e := range n.claims.Ends {
			n.gone = append(n.gone, Sketch(e.What)>>sketchShift)
		}
	}
	return n
}

// pick reports whether a text with the sketch may be like n.
func (n *newcomer) pick(sketch uint64) bool {
	return sketch == n.sketch || n.near != nil && (n.near.Passes(sketch) || slices.Contains(n.values, sketch) ||
		!isMark(sketch) && slices.ContainsFunc(n.gone, func(bits uint64) bool { return bits&(sketch>>sketchShift) == bits }))
}

// like reports whether content says the same or, where that counts, nearly so.
func (n *newcomer) like(content string) bool {
	return content != "" && (len(n.values) > 0 || n.pick(Sketch(content))) && n.says(content)
}

// says is like for a text whose sketch was picked.
func (n *newcomer) says(content string) bool {
	o := ReadText(content)
	return n.Same(o) || n.near != nil && (n.IsNear(o) || n.relation(content) != conflict.None)
}

// relation says what content and n are to each other.
func (n *newcomer) relation(content string) conflict.Relation {
	v, _ := n.claims.Beside(content)
	return v
}

// meets returns errAlike if one of the entries is like n.
func (n *newcomer) meets(entries []memory.Entry) error {
	for i := range entries {
		if n.like(entries[i].Record.Content) {
			return errAlike
		}
	}
	return nil
}

// meetsOwn is meets for the lines of log before at, and looks for who may hold the key of n
// there. If their sketches cannot be had, only the state knows.
func (n *newcomer) meetsOwn(ctx context.Context, log sketched, at memory.Cursor) error {
	of := []uint64{n.sketch}
	if n.key != "" {
		of = append(of, held.of(n.key), binding.of(""))
	}
	lines := log.LinesOf(ctx, at, of...)
	if n.near != nil {
		lines = log.Lines(ctx, at, func(sketches []uint64, taken []int) []int {
			for i, s := range sketches {
				if n.pick(s) || slices.Contains(of, s) {
					taken = append(taken, i)
				}
			}
			return taken
		})
	}
	for r, err := range lines {
		if err != nil || r.Content != "" && n.says(r.Content) || n.holds(r) {
			return cmp.Or(ctx.Err(), errAlike)
		}
	}
	return cmp.Or(ctx.Err(), n.meetsHolder(ctx, log, at))
}

// state appends rec, unless an item of the person's own already says all that it
// says; near items are named in the receipt.
func (e *Engine) state(ctx context.Context, rec memory.Record, d Draft) (Receipt, error) {
	var same memory.ID
	var near []Alike
	text := newNewcomer(rec.Content, d.Near)
	r, err := e.write(ctx, func(s *memory.State) ([]memory.Record, error) {
		detail := rec.Details()
		for _, id := range d.Supersedes {
			if !stands(s, id) {
				return nil, notActive(id)
			}
			id = id.From(s.OwnLog())
			if !slices.Contains(detail.Supersedes, id) {
				detail.Supersedes = append(detail.Supersedes, id)
			}
		}
		if same, near = compare(asof.Valid(s, e.now()).Items(), text, &rec, detail, d.Holds, e.now()); !same.IsZero() {
			return nil, nil
		}
		stated := rec
		stated.Detail = &detail
		return []memory.Record{stated}, nil
	})
	if err != nil {
		return Receipt{}, err
	}
	r.Same, r.Near = same, near
	return r, nil
}

// compare finds the item that says all that rec says, or else those that are near
// to it: what may be over first, then what contradicts it, then the nearest, of several the newer.
func compare(
	items []memory.Item, text *newcomer, rec *memory.Record, detail memory.Detail, holds func(memory.Scope) bool, now time.Time,
) (same memory.ID, near []Alike) {
	at := make(map[memory.ID]float64)
	for i := range items {
		it := &items[i]
		// An item with its scope and key gives way to rec by itself.
		replaced := slices.Contains(detail.Supersedes, it.ID) ||
			rec.Key != "" && rec.Key == it.Record.Key && SameScope(rec.Scope, it.Record.Scope)
		if !it.Current(now) || !scopesMeet(it.Record.Scope, rec.Scope) || !text.like(it.Record.Content) {
			continue
		}
		o := ReadText(it.Record.Content)
		if text.Same(o) && len(detail.Supersedes) == 0 && covers(it, rec, detail) {
			return it.ID, nil
		}
		if !replaced && text.near != nil {
			found := Alike{Item: *it}
			if SameScope(it.Record.Scope, rec.Scope) || SameScope(rec.Scope, "") && holds != nil && holds(it.Record.Scope) {
				found.Relation, found.Why = text.claims.Beside(it.Record.Content)
			}
			if found.Relation == conflict.None && !text.IsNear(o) {
				continue
			}
			at[it.ID] = text.Nearness(o)
			near = append(near, found)
		}
	}
	slices.SortStableFunc(near, func(a, b Alike) int {
		return cmp.Or(cmp.Compare(b.Relation, a.Relation), cmp.Compare(at[b.ID], at[a.ID]))
	})
	most := MostNear
	if len(near) > 0 && near[0].Relation == conflict.Over {
		most = MostOver
	}
	return memory.ID{}, near[:min(len(near), most)]
}

// covers reports whether it, which says the same, would lose nothing if rec were
// not stated: it is as trusted, holds in the same scope and at least as long, and
// is marked in every way in which rec is.
func covers(it *memory.Item, rec *memory.Record, detail memory.Detail) bool {
	old := it.Record
	ends := old.Details().Expires
	switch {
	case it.Origin.Rank() > 0, it.Tier != memory.TierHot,
		!old.Details().ValidFrom.Equal(detail.ValidFrom), !old.Details().ValidTo.Equal(detail.ValidTo),
		old.Kind != rec.Kind, !SameScope(old.Scope, rec.Scope), old.Key != rec.Key,
		rec.Pinned && !it.Pinned,
		rec.Importance != 0 && rec.Importance != it.Importance,
		!ends.IsZero() && (detail.Expires.IsZero() || ends.Before(detail.Expires)):
		return false
	}
	return !slices.ContainsFunc(rec.Tags, func(tag string) bool { return !slices.Contains(old.Tags, tag) })
}

// addNew appends rec if no line is like it, without a look at the state; else the
// error is errAlike.
func (e *Engine) addNew(ctx context.Context, log sketched, rec memory.Record, near bool) (Receipt, error) {
	n := newNewcomer(rec.Content, near)
	n.key = rec.Key
	return e.append(ctx, func() (memory.Cursor, func([]memory.Entry) (attempt, error), error) {
		tip, spent, err := e.meets(ctx, log, n)
		if err != nil {
			return "", nil, err
		}
		return tip.At, func(later []memory.Entry) (attempt, error) {
			most := spent
			for _, l := range later {
				most = max(most, l.MaxID())
			}
			return attempt{[]memory.Record{rec}, most}, cmp.Or(n.meets(later), n.contests(later))
		}, nil
	})
}

// meets returns errAlike if some line is like n, else where the log ends and the
// largest number that is spent.
func (e *Engine) meets(ctx context.Context, log sketched, n *newcomer) (memory.Tip, int64, error) {
	tip, err := log.Tip(ctx)
	if err != nil {
		return tip, 0, fmt.Errorf("write memory: %w", err)
	}
	spent := tip.MaxID
	for _, f := range e.logs[1:] {
		changed, _ := f.read(ctx) // see write
		e.behind = e.behind || changed
		spent = max(spent, f.named(tip.Name))
		err := n.meets(f.entries)
		if f.ceiling.Rank() == 0 { // who others write to takes no key from anybody else
			err = cmp.Or(err, n.contests(f.entries))
		}
		if err != nil {
			return tip, 0, err
		}
	}
	return tip, spent, n.meetsOwn(ctx, log, tip.At)
}

// Preview returns the parts Same and Near of the receipt that Remember would return for d. It
// writes nothing. The errors are those of Remember.
func (e *Engine) Preview(ctx context.Context, d Draft) (Receipt, error) {
	rec, err := e.record(d)
	if err != nil {
		return Receipt{}, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	n := newNewcomer(rec.Content, true)
	if log, ok := e.own.(sketched); ok {
		if _, _, err := e.meets(ctx, log, n); !errors.Is(err, errAlike) {
			return Receipt{}, err
		}
	}
	if _, err := e.catchUp(ctx); err != nil {
		return Receipt{}, err
	}
	s, detail, now := e.fold(), rec.Details(), e.now()
	for _, id := range d.Supersedes {
		detail.Supersedes = append(detail.Supersedes, id.From(s.OwnLog()))
	}
	var r Receipt
	r.Same, r.Near = compare(asof.Valid(s, now).Items(), n, &rec, detail, d.Holds, now)
	return r, nil
}
