package turn

import (
	"context"
	"fmt"
	"os"
	"strings"

	"ken/internal/app"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/memory"
)

// A Lesson is what a typed line says that is to be remembered, replaced or suggested. Where
// the line goes to a model it becomes the next turn, which taught it then; without one,
// nothing of the line is kept but the memory.
type Lesson struct {
	d     *Dialog
	asked bool // the line goes to a model
}

// Lesson returns what is done with a line; asked says that it goes to a model.
func (d *Dialog) Lesson(asked bool) Lesson { return Lesson{d, asked} }

// Draft is a text as it would be remembered: of a kind ("" is a fact) and for a scope, as a person says it ("" is everywhere).
func (l Lesson) Draft(ctx context.Context, text string, kind memory.Kind, scope string) (engine.Draft, error) {
	full, err := l.scopeOf(ctx, scope)
	holds := func(s memory.Scope) bool { return l.d.home.Here.Place().Holds(string(s)) }
	return engine.Draft{Kind: kind, Content: text, Scope: full, Tags: l.tags(kind, text), Source: l.said(), Near: true, Holds: holds}, err
}

// Keep remembers a text as Draft has it, in the place of the memories over. If the memory says it already, the receipt has its
// Same, also beside an error, and that is noted as a use of it.
func (l Lesson) Keep(ctx context.Context, text string, kind memory.Kind, scope string, over ...memory.ID) (engine.Receipt, error) {
	d, err := l.Draft(ctx, text, kind, scope)
	if err != nil {
		return engine.Receipt{}, err
	}
	d.Supersedes = over
	r, err := l.remember(ctx, d)
	if err == nil && len(over) > 0 {
		l.outdate(ctx)
	}
	return r, err
}

// outdate has the conversation leave out what was replaced.
func (l Lesson) outdate(ctx context.Context) {
	if s, err := l.d.home.Memory.State(ctx); err == nil { // it was read a moment ago
		l.d.carry.drop(ctx, s)
	}
}

// Replace remembers a text in the place of the memory id, of its kind and key, where it
// holds, and as pinned and important as it is, and in the place of others. If that says it already, the receipt has it as
// Same. The rest is as in Keep.
func (l Lesson) Replace(ctx context.Context, id memory.ID, text string, also ...memory.ID) (engine.Receipt, error) {
	s, err := l.d.home.Memory.State(ctx)
	if err != nil {
		return engine.Receipt{}, err
	}
	old, status := s.Get(id)
	if status != memory.StatusActive {
		return engine.Receipt{}, fmt.Errorf("#%s is %s", id, status)
	}
	rec := old.Record
	if engine.ReadText(rec.Content).Same(engine.ReadText(text)) {
		l.d.home.Uses.Used(ctx, old.Ref())
		return engine.Receipt{Same: old.ID}, nil
	}
	r, err := l.remember(ctx, engine.Draft{
		Kind: rec.Kind, Content: text, Scope: rec.Scope, Key: rec.Key, Tags: rec.Tags,
		Pinned: old.Pinned, Importance: old.Importance,
		Supersedes: append([]memory.ID{id}, also...), Source: l.said(),
	})
	if err == nil {
		l.outdate(ctx)
	}
	return r, err
}

// Suggest has a text that a line states wait for the person's yes. Where the line does not say
// where it holds, what is about the work does so in the repository, as what is extracted. With a yes it takes the place of
// the memories over. The rest is as in Keep.
func (l Lesson) Suggest(ctx context.Context, text string, kind memory.Kind, scope string, over ...memory.ID) (engine.Proposed, error) {
	if l.d.home.Keys.MaskText(text) != text {
		return engine.Proposed{}, nil // what is left of it without its secret is nothing to keep
	}
	w, err := l.d.home.Memory.Writer()
	if err != nil {
		return engine.Proposed{}, err
	}
	full, err := l.scopeOf(ctx, scope)
	if err != nil {
		return engine.Proposed{}, err
	}
	if here := l.d.home.Here.Place().Scope(); scope == "" && kind.OfWork() && strings.HasPrefix(here, "repo:") {
		full = memory.Scope(here)
	}
	rec := memory.Record{Kind: kind, Content: text, Scope: full, Tags: l.tags(kind, text), Source: l.said()}
	if len(over) > 0 {
		rec.Detail = &memory.Detail{Supersedes: over}
	}
	list, err := w.Propose(ctx, engine.Suggestion{Record: rec, Why: "you said it"})
	if err != nil || len(list) == 0 {
		return engine.Proposed{}, err
	}
	return list[0], nil
}

// remember states a draft.
func (l Lesson) remember(ctx context.Context, draft engine.Draft) (engine.Receipt, error) {
	done, err := l.d.home.State(ctx, draft, "")
	r := done.Receipt
	if err != nil {
		return r, err
	}
	defer l.d.Changed(nil)
	if r.Same.IsZero() {
		for _, id := range r.IDs {
			l.d.taught = append(l.d.taught, id.String())
		}
		return r, nil
	}
	if draft.Source != nil { // this turn says it too, and must not be found once it is forgotten
		var w *engine.Writer
		if w, err = l.d.home.Memory.Writer(); err == nil {
			_, err = w.Edit(ctx, r.Same, engine.Edit{Source: draft.Source})
		}
	}
	return r, err
}

// scopeOf is the scope that a person means by words in a sentence. One that is not there is an
// error: what was said of one place is not kept for all of them.
func (l Lesson) scopeOf(ctx context.Context, scope string) (memory.Scope, error) {
	if scope == "" || scope == string(memory.ScopeUser) {
		return "", nil
	}
	full, err := l.d.home.Memory.Resolve(ctx, scope)
	if dir, ok := l.d.home.Here.Place().Path(full); err == nil && ok {
		if at, statErr := os.Stat(dir); statErr != nil || !at.IsDir() {
			err = fmt.Errorf("no directory %q", strings.TrimPrefix(full, "dir:"))
		}
	}
	if err != nil {
		return "", fault.New(fault.NotFound, err).WithHint("to keep it everywhere: %s", fault.Command("remember TEXT"))
	}
	l.d.home.Meetings.BeginPlace()
	return memory.Scope(full), nil
}

// tags are those of what comes from commands that ran since the last question.
func (l Lesson) tags(kind memory.Kind, text string) []string {
	return app.ShellTags(kind, text, l.d.Ran())
}

// said is where a line that goes to a model stands: in the next turn.
func (l Lesson) said() *memory.Source {
	if !l.asked || l.d.rec.ID() == "" {
		return nil
	}
	return &memory.Source{Session: l.d.rec.ID(), Turn: l.d.rec.Last() + 1, Channel: string(l.d.o.Channel)}
}
