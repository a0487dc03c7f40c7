package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"ken/internal/memory"
	"ken/internal/redact"
	"ken/internal/termsafe"
)

// A Receipt answers a write: the lines it appended, each of which `undo` takes
// back.
type Receipt struct {
	IDs []memory.ID // in the order written
}

// A Draft is a memory to be stated.
type Draft struct {
	Kind       memory.Kind // a stating kind; empty means fact
	Content    string
	Scope      memory.Scope // empty means user
	Key        string
	Tags       []string
	Expires    time.Time
	Pinned     bool
	Importance int // 1..10; 0 = not given
	Supersedes []memory.ID
	Source     *memory.Source
	// Force stores a text in which a secret was found. It is for a person at
	// a terminal; towards models the secret is still masked.
	Force bool
}

var (
	// ErrEmpty says that nothing would be left to remember.
	ErrEmpty = errors.New("nothing to remember: the text is empty")
	// ErrNotActive says that a reference names nothing that could be changed.
	ErrNotActive = errors.New("not active (already forgotten or never existed)")
	// ErrNothingToUndo says that no line is left to take back.
	ErrNothingToUndo = errors.New("nothing to undo")
)

// A SecretError says that a text was not stored because it seems to hold
// secrets. It never quotes them.
type SecretError struct {
	Kinds  []string // what was found, in order: "openai-key", "password", ...
	Masked string   // the text with the secrets masked
}

func (e *SecretError) Error() string {
	return fmt.Sprintf("not stored: the text seems to hold a secret (%s)", strings.Join(e.Kinds, ", "))
}

// A KindError says that a kind cannot be stated, and which can.
type KindError struct{ Kind memory.Kind }

func (e *KindError) Error() string {
	names := make([]string, 0, len(memory.StatingKinds()))
	for _, k := range memory.StatingKinds() {
		names = append(names, string(k))
	}
	return fmt.Sprintf("unknown kind %q: one of %s", e.Kind, strings.Join(names, ", "))
}

// Remember appends one memory as the person's own word. It does not read the
// memory, so that its cost does not grow with it.
//
// Errors: ErrEmpty, *KindError, *SecretError, or what the log says; then
// nothing was written.
func (e *Engine) Remember(ctx context.Context, d Draft) (Receipt, error) {
	rec, err := e.record(d)
	if err != nil {
		return Receipt{}, err
	}
	return e.append(ctx, nil, rec)
}

// record checks and cleans a draft.
func (e *Engine) record(d Draft) (memory.Record, error) {
	kind, subtype := memory.ParseKind(string(d.Kind))
	if kind == "" {
		kind = memory.KindFact
	}
	if kind.Changes() || !kind.Known() {
		return memory.Record{}, &KindError{d.Kind}
	}
	content, err := e.content(d.Content, d.Force)
	if err != nil {
		return memory.Record{}, err
	}
	if d.Importance < 0 || d.Importance > 10 {
		return memory.Record{}, fmt.Errorf("importance %d: must be 1 to 10", d.Importance)
	}
	tags := make([]string, len(d.Tags))
	for i, t := range d.Tags {
		tags[i] = e.masked(t)
	}
	return memory.Record{
		Kind: kind, Subtype: subtype, Content: content, Scope: d.Scope,
		Key: e.masked(d.Key), Tags: tags, Expires: d.Expires, Pinned: d.Pinned,
		Importance: d.Importance, Supersedes: d.Supersedes, Source: d.Source,
	}, nil
}

// content is a text as it may be stored: valid UTF-8, without terminal
// controls or invisible characters, within MaxContent, and without secrets.
func (e *Engine) content(text string, force bool) (string, error) {
	text = strings.TrimSpace(termsafe.Clean(text))
	if text == "" {
		return "", ErrEmpty
	}
	if len(text) > memory.MaxContent {
		return "", fmt.Errorf("the text has %d bytes: a memory holds %d at most", len(text), memory.MaxContent)
	}
	if e.mask == nil || force {
		return text, nil
	}
	masked, hits := e.mask(text)
	if len(hits) > 0 {
		return "", &SecretError{Kinds: hitKinds(hits), Masked: masked}
	}
	return text, nil
}

func hitKinds(hits []redact.Hit) []string {
	var kinds []string
	seen := make(map[string]bool)
	for _, h := range hits {
		if !seen[h.Kind] {
			seen[h.Kind] = true
			kinds = append(kinds, h.Kind)
		}
	}
	return kinds
}

func (e *Engine) masked(text string) string {
	text = termsafe.Line(text)
	if e.mask == nil || text == "" {
		return text
	}
	text, _ = e.mask(text)
	return text
}

// Forget appends one tombstone for each id. An id that names no active or
// waiting item is an error that wraps ErrNotActive, and then nothing at all is
// written.
func (e *Engine) Forget(ctx context.Context, reason string, ids ...memory.ID) (Receipt, error) {
	recs := make([]memory.Record, len(ids))
	for i, id := range ids {
		recs[i] = memory.Record{Kind: memory.KindForget, Target: id, Reason: e.masked(reason)}
	}
	return e.change(ctx, ids, recs)
}

// An Edit names the fields of an item that change; nil keeps a field as it is.
type Edit struct {
	Content *string
	Kind    *memory.Kind
	Scope   *memory.Scope
	Tags    *[]string
	Force   bool // as in Draft
}

// Edit appends one line that changes fields of the item id. The earlier text
// stays in the file and in the item's history.
func (e *Engine) Edit(ctx context.Context, id memory.ID, ed Edit) (Receipt, error) {
	rec := memory.Record{Kind: memory.KindEdit, Target: id}
	if ed.Content != nil {
		text, err := e.content(*ed.Content, ed.Force)
		if err != nil {
			return Receipt{}, err
		}
		rec.Content = text
	}
	if ed.Scope != nil {
		rec.Scope = *ed.Scope
	}
	if ed.Tags != nil {
		for _, t := range *ed.Tags {
			rec.Tags = append(rec.Tags, e.masked(t))
		}
		if len(rec.Tags) == 0 {
			rec.Clear = append(rec.Clear, "tags")
		}
	}
	return e.change(ctx, []memory.ID{id}, []memory.Record{rec})
}

// Pin appends a line that pins the items, or unpins them.
func (e *Engine) Pin(ctx context.Context, on bool, ids ...memory.ID) (Receipt, error) {
	kind := memory.KindPin
	if !on {
		kind = memory.KindUnpin
	}
	recs := make([]memory.Record, len(ids))
	for i, id := range ids {
		recs[i] = memory.Record{Kind: kind, Target: id}
	}
	return e.change(ctx, ids, recs)
}

// change appends recs if each of ids names an item that still stands.
func (e *Engine) change(ctx context.Context, ids []memory.ID, recs []memory.Record) (Receipt, error) {
	return e.append(ctx, func(s *memory.State) error {
		for _, id := range ids {
			switch s.Status(id) {
			case memory.StatusActive, memory.StatusWaiting, memory.StatusSuperseded:
			default:
				return fmt.Errorf("%s: %w", id, ErrNotActive)
			}
		}
		return nil
	}, recs...)
}

// Undo appends a line that takes back the lines ids or, if there are none, the
// newest line of this device that can be taken back.
//
// Errors: ErrNothingToUndo, or ErrNotActive for a reference that names no line
// or one that is undone or erased already.
func (e *Engine) Undo(ctx context.Context, ids ...memory.ID) (Receipt, []memory.Change, error) {
	var undone []memory.Change
	recs := make([]memory.Record, max(1, len(ids)))
	receipt, err := e.append(ctx, func(s *memory.State) error {
		undone = undone[:0]
		if len(ids) == 0 {
			ch, ok := s.Undoable()
			if !ok {
				return ErrNothingToUndo
			}
			undone = append(undone, ch)
		}
		for _, id := range ids {
			ch, err := undoable(s, id)
			if err != nil {
				return err
			}
			undone = append(undone, ch)
		}
		for i, ch := range undone {
			recs[i] = memory.Record{Kind: memory.KindUndo, Target: ch.ID}
		}
		return nil
	}, recs...)
	return receipt, undone, err
}

// append plans and writes recs as whole lines in one append. check, if there
// is one, sees the state as it stands under the lock, and may still fill in
// recs. Ids follow the largest that any line names, of this log or of a
// replica that names this log's lines.
func (e *Engine) append(ctx context.Context, check func(*memory.State) error, recs ...memory.Record) (Receipt, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		r, err := e.tryAppend(ctx, check, recs)
		if !errors.Is(err, memory.ErrStale) {
			return r, err
		}
	}
}

func (e *Engine) tryAppend(ctx context.Context, check func(*memory.State) error, recs []memory.Record) (Receipt, error) {
	at, plan, err := e.planCold(ctx, check)
	if plan == nil && err == nil {
		at, plan, err = e.planFolded(ctx, check)
	}
	if err != nil {
		return Receipt{}, err
	}
	var r Receipt
	_, err = e.own.Append(ctx, at, func(later []memory.Entry) ([]memory.Record, error) {
		largest, err := plan(later)
		if err != nil {
			return nil, err
		}
		r.IDs = r.IDs[:0]
		now := e.now().UTC().Truncate(time.Second)
		for i := range recs {
			largest++
			if largest > memory.MaxID {
				return nil, fmt.Errorf("the log names the id %d: no larger one is left", memory.MaxID)
			}
			recs[i].ID, recs[i].Time = memory.Num(largest), now
			r.IDs = append(r.IDs, recs[i].ID)
		}
		return recs, nil
	})
	if err != nil {
		return Receipt{}, fmt.Errorf("write memory: %w", err)
	}
	return r, nil
}

// A planner gives, under the lock, the largest id that is spent.
type planner func(later []memory.Entry) (int64, error)

// planCold is for a write that needs to know nothing but the end of the log.
// Its planner is nil where more is needed: a check, a log that cannot tell its
// end, or replicas, whose lines may name ids of ours that we lost.
func (e *Engine) planCold(ctx context.Context, check func(*memory.State) error) (memory.Cursor, planner, error) {
	tipper, ok := e.own.(memory.Tipper)
	if !ok || check != nil || len(e.logs) > 1 {
		return "", nil, nil
	}
	tip, err := tipper.Tip(ctx)
	if err != nil {
		return "", nil, fmt.Errorf("write memory: %w", err)
	}
	return tip.At, func(later []memory.Entry) (int64, error) {
		return largestID(tip.MaxID, later), nil
	}, nil
}

// planFolded is for a write that depends on what is there.
func (e *Engine) planFolded(ctx context.Context, check func(*memory.State) error) (memory.Cursor, planner, error) {
	own := e.logs[0]
	for _, f := range e.logs {
		if _, err := f.read(ctx); err != nil && f == own {
			return "", nil, fmt.Errorf("read memory: %w", err)
		}
	}
	return own.at, func(later []memory.Entry) (int64, error) {
		lines := make([]memory.Lines, len(e.logs))
		for i, f := range e.logs {
			lines[i] = f.lines()
		}
		lines[0].Entries = append(own.entries[:len(own.entries):len(own.entries)], later...)
		s := memory.Fold(lines...)
		if check != nil {
			if err := check(s); err != nil {
				return 0, err
			}
		}
		return s.MaxID(own.name), nil
	}, nil
}

func largestID(n int64, entries []memory.Entry) int64 {
	for _, e := range entries {
		n = max(n, e.MaxID())
	}
	return n
}

// undoable finds the line id among those that an undo may name.
func undoable(s *memory.State, id memory.ID) (memory.Change, error) {
	ch, ok := s.Line(id)
	if !ok || ch.Undone || ch.Record.Kind == memory.KindErased {
		return memory.Change{}, fmt.Errorf("%s: %w", id, ErrNotActive)
	}
	return ch, nil
}
