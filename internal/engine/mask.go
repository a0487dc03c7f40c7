package engine

import (
	"context"
	"errors"
	"slices"

	"ken/internal/memory"
	"ken/internal/memory/tombstone"
)

// maskLines is Writer.Mask for a person.
func (e *Engine) maskLines(ctx context.Context, to func(memory.Entry, []byte) []byte) (changed int, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	log, ok := e.own.(interface {
		Replace(ctx context.Context, by func([]byte) ([]byte, error)) error
	})
	if !ok {
		return 0, errors.ErrUnsupported
	}
	if _, err := e.catchUp(ctx); err != nil {
		return 0, err
	}
	e.fold()
	own := e.logs[0].name
	// The journal knows erased lines by their bytes: those of the own log not any more.
	others := slices.DeleteFunc(slices.Clone(e.back), func(id memory.ID) bool { return id.From(own).Log == "" })
	c := renaming{to: to, before: e.lines(), after: append(e.lines()[:len(e.logs)], tombstone.Lines(others)), now: e.now()}
	err = log.Replace(ctx, func(data []byte) (out []byte, err error) {
		out, changed = c.do(data)
		return out, nil
	})
	if err != nil {
		return 0, err
	}
	_, err = e.catchUp(ctx)
	return changed, err
}
