package engine

import (
	"errors"
	"fmt"
	"strings"

	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/redact"
)

var (
	// ErrEmpty says that nothing would be left to remember.
	ErrEmpty = errors.New("nothing to remember: the text is empty")
	// ErrNoChange says that an Edit names no field.
	ErrNoChange = errors.New("nothing to change: no field was given")
	// ErrNever says that a text would hold at no time.
	ErrNever = errors.New("valid at no time: it ends before it begins")
	// ErrNotActive says that a reference names nothing that could be changed.
	ErrNotActive = errors.New("not active (already forgotten or never existed)")
	// ErrNothingToUndo says that no line is left to take back.
	ErrNothingToUndo = errors.New("nothing to undo")
)

// A SecretError says that a text was not stored because it seems to hold
// secrets. It never quotes them.
type SecretError struct {
	Kinds  []string // what was found, each once, in order: "openai-key", "password", ...
	Masked string   // the text with the secrets masked
}

func (e *SecretError) Error() string {
	return fmt.Sprintf("not stored: the text seems to hold a secret (%s)", strings.Join(e.Kinds, ", "))
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

// A KindError says that a kind cannot be stated, and which can.
type KindError struct{ Kind memory.Kind }

func (e *KindError) Error() string {
	names := make([]string, 0, len(memory.StatingKinds()))
	for _, k := range memory.StatingKinds() {
		names = append(names, string(k))
	}
	return fmt.Sprintf("unknown kind %q: one of %s", e.Kind, strings.Join(names, ", "))
}

// NotSaved returns the error of a write that did not happen, in plain words. The error of the files
// is its cause. An error about the text itself is returned as it is.
func NotSaved(err error) error {
	var (
		secret *SecretError
		kind   *KindError
	)
	if errors.As(err, &secret) || errors.As(err, &kind) || errors.Is(err, ErrEmpty) || errors.Is(err, ErrNotActive) {
		return err
	}
	return fmt.Errorf("not saved: %w", err)
}

// ErrOnlyRead says that a memory is only read: nothing is written to it, and nothing is suggested.
var ErrOnlyRead = errors.New("the memory is only read here: nothing is written")

// OnlyRead returns ErrOnlyRead in the words for a person.
func OnlyRead() error {
	return fault.New(fault.Refused, ErrOnlyRead).
		WithHint("leave --read-only out, or: %s", fault.Command("config set memory.read_only=false"))
}
