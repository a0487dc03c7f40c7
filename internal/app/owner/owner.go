package owner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"ken/internal/app"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/view"
)

// An Owner is the person at such a face. It is safe for concurrent use.
type Owner struct {
	memory *app.App
	face   string
	live   Live
}

// New returns the person at a face, which is called so in the record: "web".
func New(a *app.App, face string) *Owner {
	return &Owner{memory: a, face: face}
}

// view is what the person has at such a face: it stands nowhere, so that all places are one to it.
func (o *Owner) view() *app.View {
	return o.memory.View(app.Standing{Actor: app.Actor{Kind: app.Person, Face: o.face}})
}

// terminal refuses what is for the terminal alone.
func terminal(what string) error {
	return fault.Refusedf("%s needs the terminal: it binds which commands run", what).
		WithHint("there: %s", fault.Command("memory list --kind rule"))
}

// binds reports whether a record binds commands.
func binds(r *memory.Record) bool {
	if r == nil {
		return false
	}
	_, ok := engine.Binding(r)
	return ok || r.Kind == memory.KindRule
}

// MayState refuses a text of a kind that would bind commands: that needs the terminal.
func (o *Owner) MayState(kind, text string) error {
	k, _ := memory.ParseKind(kind)
	if binds(&memory.Record{Kind: k, Content: text}) {
		return terminal("a rule")
	}
	return nil
}

// Remember states a text, everywhere. Errors: those of app.View.Remember; a text that would bind commands.
func (o *Owner) Remember(ctx context.Context, kind, text string) (view.Outcome, error) {
	if err := o.MayState(kind, text); err != nil {
		return view.Outcome{}, err
	}
	done, err := o.view().Remember(ctx, app.Statement{Text: text, Kind: kind})
	return done, told(err)
}

// told is an error about what the person wrote as one that they can do something about: none of them is the memory's fault.
func told(err error) error {
	secret, kind := (*engine.SecretError)(nil), (*engine.KindError)(nil)
	switch {
	case errors.As(err, &secret):
		return fault.New(fault.Refused, err).WithHint("to keep it all the same, at the terminal: %s", fault.Command("remember --force"))
	case errors.As(err, &kind), errors.Is(err, engine.ErrEmpty), errors.Is(err, engine.ErrNoChange):
		return fault.New(fault.Usage, err)
	}
	return err
}

// Edit gives a memory another text. was is the Mark of what the person saw: if it says something else by now, nothing is
// done, and the error is a *ChangedError.
func (o *Owner) Edit(ctx context.Context, ref, was, text string) (view.Outcome, error) {
	if strings.TrimSpace(text) == "" {
		return view.Outcome{}, fault.Usagef("a memory needs a text").WithHint("or forget it")
	}
	if err := o.may(ctx, ref, was, text); err != nil {
		return view.Outcome{}, err
	}
	done, err := o.view().Edit(ctx, ref, text, "")
	return done, told(err)
}

// Forget hides a memory. was is as in Edit.
func (o *Owner) Forget(ctx context.Context, ref, was string) (view.Outcome, error) {
	if err := o.may(ctx, ref, was, ""); err != nil {
		return view.Outcome{}, err
	}
	done, err := o.view().Forget(ctx, "", ref)
	if err != nil || len(done) == 0 {
		return view.Outcome{}, err
	}
	return done[0], nil
}

// ForgetAll hides memories and turns of conversations, all or none: what binds commands is for the terminal.
func (o *Owner) ForgetAll(ctx context.Context, refs []string, turns []memory.Turn) (view.Outcome, error) {
	h := o.view()
	s, err := h.Memory.State(ctx)
	if err != nil {
		return view.Outcome{}, err
	}
	for _, ref := range refs {
		id, err := memory.ParseID(ref)
		if err != nil {
			return view.Outcome{}, fault.Usagef("%q names no memory", ref)
		}
		if it, _ := s.Get(id); binds(it.Record) {
			return view.Outcome{}, terminal("a rule")
		}
	}
	return h.ForgetAll(ctx, refs, turns)
}

// Pin has a memory stand in every start-up block where it holds, or no more.
func (o *Owner) Pin(ctx context.Context, ref string, on bool) (view.Outcome, error) {
	if err := o.may(ctx, ref, "", ""); err != nil {
		return view.Outcome{}, err
	}
	return o.view().Pin(ctx, ref, on, "")
}

// Undo takes a line of the memory back, unless that changes what binds commands, and says what was done. The conversation in which
// a memory was stated learns that it was taken back.
func (o *Owner) Undo(ctx context.Context, line string) (string, error) {
	h := o.view()
	ids, err := memory.ParseTyped(line)
	if err != nil || len(ids) != 1 {
		return "", fault.Usagef("%q names no line", line)
	}
	s, err := h.Memory.State(ctx)
	if err != nil {
		return "", err
	}
	if err := mayTakeBack(s, ids[0]); err != nil {
		return "", err
	}
	var stated *memory.Record
	if it, status := s.Get(ids[0]); status == memory.StatusActive && it.ID == ids[0] {
		stated = it.Record
	}
	lines, err := h.Undo(ctx, line)
	if err == nil && stated != nil {
		err = o.tookBack(line, stated.Source)
	}
	return strings.Join(lines, "\n"), err
}

// mayTakeBack refuses to take back a line that binds commands, or changed what does, or takes another one back.
func mayTakeBack(s *memory.State, line memory.ID) error {
	for _, ch := range s.History(line) {
		if binds(&ch.Record) {
			return terminal("a rule")
		}
	}
	ch, ok := s.Line(line)
	if !ok {
		return fault.NotFoundf("there is no line %s", line)
	}
	if ch.Record.Kind == memory.KindUndo {
		return fault.Refusedf("what was taken back once is taken back anew at the terminal").
			WithHint("there: %s", fault.Command("undo "+line.String()))
	}
	for _, id := range slices.Concat(ch.Record.Details().Targets, []memory.ID{ch.Record.Target}) {
		if it, _ := s.Get(id.In(ch.ID.Log)); binds(it.Record) {
			return terminal("a rule")
		}
	}
	return nil
}

// A ChangedError says that a memory says something else than the person saw.
type ChangedError struct{ Ref string }

func (e *ChangedError) Error() string {
	return "#" + e.Ref + " was changed meanwhile: nothing was done"
}

// Hint is the next step.
func (*ChangedError) Hint() string { return "look at it as it is now, and do it again" }

// Mark is what tells a text of a memory from another one.
func Mark(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// may refuses what is done to a memory that binds commands or is to, or says something else than was seen.
func (o *Owner) may(ctx context.Context, ref, was, text string) error {
	h := o.view()
	ids, err := memory.ParseTyped(ref)
	if err != nil || len(ids) != 1 {
		return fault.Usagef("%q names no memory", ref)
	}
	s, err := h.Memory.State(ctx)
	if err != nil {
		return err
	}
	it, status := s.Get(ids[0])
	switch {
	case status == memory.StatusUnknown:
		return fault.NotFoundf("there is no memory %s", ref)
	case status != memory.StatusActive, was != "" && Mark(it.Record.Content) != was:
		return &ChangedError{Ref: ids[0].String()}
	case binds(it.Record):
		return terminal("a rule")
	}
	if text != "" {
		now := *it.Record
		if now.Content = text; binds(&now) {
			return terminal("a rule")
		}
	}
	return nil
}
