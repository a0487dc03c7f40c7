package review

import (
	"bytes"
	"context"

	"ken/internal/jsonl"
)

// Mask puts to(line) in the place of each line, for lines without the secrets that
// they had, and returns how many it changed. The hash of a proposal is made anew:
// that of the old text could be tried against guesses. The file keeps its time. The
// caller holds the lock of Dir.
func (l *Log) Mask(ctx context.Context, to func(line []byte) []byte) (int, error) {
	return l.change(ctx, "mask", jsonl.Edit{KeepTime: true}, func(_ jsonl.Record[entry], line []byte) ([]byte, bool) {
		now := to(line)
		if bytes.Equal(now, line) {
			return nil, false
		}
		return rehashed(now), true
	})
}

// rehashed is the line of a proposal with the hash of what it says; other lines, and
// those without a hash, stay.
func rehashed(line []byte) []byte {
	body := bytes.TrimSuffix(line, []byte("\r"))
	e, err := parseLine(body)
	if err != nil || e.proposal == nil {
		return line
	}
	out, err := jsonl.MapFields(body, func(name string, v jsonl.Value) jsonl.Value {
		if name == "hash" {
			return jsonl.AppendString(nil, Hash(&e.proposal.Record))
		}
		return v
	})
	if err != nil {
		return line
	}
	return append(out, line[len(body):]...)
}
