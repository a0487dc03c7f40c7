package battery

import (
	"context"

	"ken/internal/jsonl"
	"ken/internal/memory"
)

// A Bug is a mistake that somebody could make. The zero Bug is none.
type Bug struct {
	Name     string
	FS       func(jsonl.FS) jsonl.FS
	Views    []View
	Remember func(ctx context.Context, h *Home, l *Ledger, text string) error
	Accept   func(ctx context.Context, h *Home, ref string) error
	Erase    func(ctx context.Context, h *Home, id memory.ID) error
	Read     func(*Found)
}
