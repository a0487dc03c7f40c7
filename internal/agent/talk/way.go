package talk

import (
	"context"
	"errors"

	"ken/internal/agent"
	"ken/internal/agent/turn"
	"ken/internal/fault"
	"ken/internal/session"
)

// Branch goes on in a copy of the conversation, as it stood behind turn n, or before it where that is a question: then that is
// returned, to be asked in other words. The conversation itself stays as it is. Errors: there is no such turn; it is the first
// question, before which there is nothing; what recording says.
func (t *Talk) Branch(ctx context.Context, n int) (question string, err error) {
	b, err := t.d.Branch(ctx, t.d.Path(), n)
	if err == nil {
		t.kept.last = turn.Answer{}
		t.noteSwitch()
	}
	return b.Question, err
}

// Again is the last question, to be asked once more: what is answered then stands in the place of what was answered first.
// Errors: nothing was asked; what it taught is forgotten.
func (t *Talk) Again(ctx context.Context) (turn.Question, error) {
	last, err := t.d.Conversation().Asked(ctx)
	if errors.Is(err, agent.ErrNoQuestions) {
		return turn.Question{}, fault.NotFoundf("nothing was asked yet in this conversation")
	}
	if err != nil {
		return turn.Question{}, fault.New(fault.Refused, err)
	}
	return turn.Question{Text: last.Content, Typed: agent.Typed(last), From: last.From, Again: &last, Why: session.LeftReplaced}, nil
}

// Undoable are the references of the lines that were written to the memory here and can be taken back, the newest last.
func (t *Talk) Undoable() []string {
	t.kept.mu.Lock()
	defer t.kept.mu.Unlock()
	list := make([]string, len(t.kept.done))
	for i, w := range t.kept.done {
		list[i] = w.ref
	}
	return list
}

// Place says what holds here: the person's namespace, "" if there is none, and the place's scope.
func (t *Talk) Place() (namespace, scope string) {
	cfg, ok := t.home.Settings.InForce()
	if ok {
		namespace = cfg.Memory.UserNamespace
	}
	return namespace, t.home.Here.Place().Scope()
}
