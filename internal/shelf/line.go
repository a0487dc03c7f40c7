package shelf

import (
	"fmt"
	"os"

	"ken/internal/index"
	"ken/internal/jsonl"
	"ken/internal/memory"
)

// Line is the number of the line that states an item of this memory. With an index
// it is counted when it is asked for, and Item.Line says nothing. The error wraps
// index.ErrChanged if the line is not there any more.
func (m *Memory) Line(it *memory.Item) (int, error) {
	if m.paths == nil {
		return it.Line, nil
	}
	f, err := os.Open(m.paths[it.Log])
	if err != nil {
		return 0, fmt.Errorf("%w: %w", index.ErrChanged, err)
	}
	defer func() { _ = f.Close() }() // it was only read
	for l, err := range jsonl.Lines(f, memory.MaxLine) {
		if err != nil {
			return 0, fmt.Errorf("%w: %w", index.ErrChanged, err)
		}
		if memory.SumOf(l.Bytes) != it.Sum {
			continue
		}
		if e := memory.ParseLine(l.Bytes); e.Bad == nil && e.Meta == nil && e.Record.ID.N == it.ID.N {
			return l.Number, nil
		}
	}
	return 0, fmt.Errorf("%s: %w", f.Name(), index.ErrChanged)
}
