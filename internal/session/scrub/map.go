package scrub

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"ken/internal/jsonl"
)

// Map puts to(line) in the place of each line of the file at path, line ends left
// out, and returns how many it changed. Otherwise it is as File: under the caller's
// lock, whole or not at all, and the file keeps its time.
func Map(f jsonl.FS, path string, to func(line []byte) []byte) (changed int, err error) {
	return swapped(f, path, func(data []byte) ([]byte, int, error) { return MapLines(data, to) })
}

// MapText is Map for a text as a whole.
func MapText(f jsonl.FS, path string, to func(text []byte) []byte) (changed int, err error) {
	return swapped(f, path, func(data []byte) ([]byte, int, error) {
		if text := to(data); !bytes.Equal(text, data) {
			return text, 1, nil
		}
		return data, 0, nil
	})
}

// MapLines is Map for bytes.
func MapLines(data []byte, to func(line []byte) []byte) (out []byte, changed int, err error) {
	var b bytes.Buffer
	for line, err := range jsonl.Lines(bytes.NewReader(data), len(data)+1) {
		if err != nil {
			return nil, 0, err
		}
		raw := data[line.Offset : line.Offset+line.Len]
		now := to(raw)
		if !bytes.Equal(raw, now) {
			changed++
		}
		b.Write(now)
		b.Write(data[line.Offset+line.Len : line.End.Offset])
	}
	return b.Bytes(), changed, nil
}

func swapped(f jsonl.FS, path string, to func([]byte) ([]byte, int, error)) (int, error) {
	data, stat, err := Load(path)
	if err != nil || stat == nil {
		return 0, err
	}
	out, changed, err := to(data)
	if err != nil || changed == 0 {
		return 0, err
	}
	err = jsonl.Rewrite(f, path, stat, func(w io.Writer) error {
		_, err := w.Write(out)
		return err
	})
	if err == nil {
		err = os.Chtimes(path, stat.ModTime(), stat.ModTime())
	}
	if err != nil {
		return 0, fmt.Errorf("mask %s: %w", path, err)
	}
	return changed, nil
}
