package fault_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"ken/internal/fault"
)

func inShell(c fault.Command) string { return ":" + string(c) }

// TestHint: a hint has its commands as the face writes them, and everything else
// as it stood when it was made.
func TestHint(t *testing.T) {
	t.Parallel()
	names := []string{"a"}
	err := fault.NotFoundf("no policy %q: %w", "x", fs.ErrNotExist).
		WithHint("one of %v; write one: %s", names, fault.Command("memory policy init x"))
	if got := err.Hint(); got != "one of [a]; write one: ken memory policy init x" {
		t.Errorf("hint %q", got)
	}
	if got := err.Next().In(inShell); got != "one of [a]; write one: :memory policy init x" {
		t.Errorf("hint in the shell %q", got)
	}
	if got := fault.Refusedf("no").WithHint("100%% of %s", "it").Next().In(inShell); got != "100% of it" {
		t.Errorf("hint without a command %q", got)
	}
	if got := fault.Usagef("no").Next().In(inShell); got != "" {
		t.Errorf("no hint: %q", got)
	}
	if err.Error() != `no policy "x": file does not exist` || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("text %q, or its cause is lost", err)
	}
}

// TestTextInText: a text that stands in another keeps its commands.
func TestTextInText(t *testing.T) {
	t.Parallel()
	inner := fault.Textf("see %s", fault.Command("why"))
	outer := fault.Textf("%d kept; %s", 2, inner)
	if got := outer.In(inShell); got != "2 kept; see :why" {
		t.Errorf("in the shell %q", got)
	}
	if got, same := outer.String(), outer.In(nil); got != "2 kept; see ken why" || same != got {
		t.Errorf("on a command line %q, %q", got, same)
	}
}

// TestKindOf: the kind of an error is found however deep it is wrapped; the outer
// one counts.
func TestKindOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want fault.Kind
	}{
		{nil, fault.Failure},
		{errors.New("x"), fault.Failure},
		{fmt.Errorf("x: %w", fault.Usagef("y")), fault.Usage},
		{fault.New(fault.Model, fault.Usagef("y")), fault.Model},
		{errors.Join(errors.New("x"), fault.Incompletef("y")), fault.Incomplete},
		{fault.Once(fault.Detail(fault.Refusedf("y"))), fault.Refused},
	} {
		if got := fault.KindOf(c.err); got != c.want {
			t.Errorf("%v: kind %v, want %v", c.err, got, c.want)
		}
	}
}

// TestMarks: what Once and Detail mark keeps its text and its cause, and is told
// apart also where it is wrapped.
func TestMarks(t *testing.T) {
	t.Parallel()
	plain := fmt.Errorf("x: %w", fs.ErrNotExist)
	once, detail := fault.Once(plain), fault.Detail(plain)
	if once.Error() != plain.Error() || !errors.Is(once, fs.ErrNotExist) || !errors.Is(detail, fs.ErrNotExist) {
		t.Errorf("%v, %v: not %v", once, detail, plain)
	}
	if fault.IsOnce(plain) || fault.IsOnce(detail) || !fault.IsOnce(fmt.Errorf("y: %w", once)) {
		t.Error("Once is not what IsOnce finds")
	}
	if fault.IsDetail(plain) || fault.IsDetail(once) || !fault.IsDetail(fault.Once(detail)) {
		t.Error("Detail is not what IsDetail finds")
	}
	if n := fault.Textf("x"); fault.IsAside(n) || !fault.IsAside(fault.Aside(n)) || fault.Aside(n).In(nil) != "x" {
		t.Error("Aside is not what IsAside finds, or lost its text")
	}
	if fault.Once(nil) != nil || fault.Detail(nil) != nil {
		t.Error("a mark made an error of none")
	}
}

// TestVoice: the zero Voice is silent, and one with ports hands on what it is given.
func TestVoice(t *testing.T) {
	t.Parallel()
	var silent fault.Voice
	silent.Warn(errors.New("x"))
	silent.Notef("x")
	var warned []error
	var noted []string
	v := fault.Voice{
		OnWarn: func(err error) { warned = append(warned, err) },
		OnNote: func(n fault.Note) { noted = append(noted, n.In(inShell)) },
	}
	v.Warn(nil)
	v.Warn(fs.ErrNotExist)
	v.Notef("undo: %s", fault.Command("undo 3"))
	v.Note(fault.Textf("kept"))
	if len(warned) != 1 || len(noted) != 2 || noted[0] != "undo: :undo 3" || noted[1] != "kept" {
		t.Errorf("warned %v, noted %q", warned, noted)
	}
}
