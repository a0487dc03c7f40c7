package live

import (
	"errors"
	"fmt"

	"ken/internal/index"
	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/regular"
)

// Number fills in Line of items of this memory, which with an index is counted when
// it is asked for. It is left as it is where the line is not there any more; then
// the error wraps index.ErrChanged.
func (m *Memory) Number(items ...*memory.Item) error {
	if m.paths == nil {
		return nil
	}
	byLog := make(map[string]map[memory.Sum][]*memory.Item)
	for _, it := range items {
		if byLog[it.Log] == nil {
			byLog[it.Log] = make(map[memory.Sum][]*memory.Item)
		}
		byLog[it.Log][it.Sum] = append(byLog[it.Log][it.Sum], it)
	}
	var errs []error
	for log, wanted := range byLog {
		errs = append(errs, number(m.paths[log], wanted))
	}
	return errors.Join(errs...)
}

// number finds items of one log by the sums of their lines.
func number(path string, wanted map[memory.Sum][]*memory.Item) error {
	f, err := regular.Open(path)
	if err != nil {
		return fmt.Errorf("%w: %w", index.ErrChanged, err)
	}
	defer func() { _ = f.Close() }() // it was only read
	left := 0
	for _, items := range wanted {
		left += len(items)
	}
	var parser memory.Parser
	for l, err := range jsonl.Lines(f, memory.MaxLine) {
		if err != nil {
			return fmt.Errorf("%w: %w", index.ErrChanged, err)
		}
		for _, it := range wanted[parser.Sum(l.Bytes)] {
			if e := memory.ParseLine(l.Bytes); e.Bad == nil && e.Meta == nil && e.Record.ID.N == it.ID.N {
				it.Line = l.Number
				left--
			}
		}
		if left == 0 {
			return nil
		}
	}
	return fmt.Errorf("%s: %w", path, index.ErrChanged)
}
