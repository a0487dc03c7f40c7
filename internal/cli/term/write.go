package term

import (
	"errors"
	"fmt"

	"ken/internal/engine"
)

// NotSaved says in plain words that a writing command did not write.
func NotSaved(err error) error {
	var (
		secret *engine.SecretError
		kind   *engine.KindError
	)
	if errors.As(err, &secret) || errors.As(err, &kind) || errors.Is(err, engine.ErrEmpty) {
		return err
	}
	return fmt.Errorf("not saved: %w", err)
}
