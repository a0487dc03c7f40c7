package battery

import (
	"context"

	"ken/internal/jsonl"
	"ken/internal/memory"
)

// A Bug is a mistake that somebody could make. The zero Bug is none; each field
// stands in the place of what is right.
type Bug struct {
	Name     string
	FS       func(jsonl.FS) jsonl.FS
	Views    []View // besides the right ones
	Remember func(ctx context.Context, h *Home, l *Ledger, text string) error
	Accept   func(ctx context.Context, h *Home, ref string) error
	Erase    func(ctx context.Context, h *Home, id memory.ID) error
	EraseAll func(ctx context.Context, h *Home, id memory.ID) error
	Say      func(path, text string) error
	Read     func(*Found)
}
