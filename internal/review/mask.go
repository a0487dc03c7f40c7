package review

import (
	"bytes"
	"fmt"
	"slices"

	"ken/internal/jsonl"
	"ken/internal/session/scrub"
)

// Mask puts to(line) in the place of each line, for lines without the secrets that
// they had, and returns how many it changed. The hash of a proposal is made anew:
// that of the old text could be tried against guesses. The caller holds the lock of
// Dir.
func (l *Log) Mask(to func(line []byte) []byte) (int, error) {
	changed, err := scrub.Map(l.fs(), l.Path, func(line []byte) []byte {
		now := to(line)
		if bytes.Equal(now, line) {
			return line
		}
		return rehashed(now)
	})
	if err != nil {
		return 0, fmt.Errorf("the review queue: %w", err)
	}
	return changed, nil
}

// rehashed is the line of a proposal with the hash of what it says; other lines, and
// those without a hash, stay.
func rehashed(line []byte) []byte {
	body := bytes.TrimSuffix(line, []byte("\r"))
	e := parseLine(body)
	if e.proposal == nil {
		return line
	}
	out := []byte{'{'}
	for f, err := range jsonl.Object(body) {
		if err != nil {
			return line
		}
		value := f.Value
		if string(f.Name) == "hash" {
			value = jsonl.AppendString(nil, Hash(&e.proposal.Record))
		}
		out = append(jsonl.AppendName(out, string(f.Name)), value...)
	}
	return slices.Concat(out, []byte("}"), line[len(body):])
}
