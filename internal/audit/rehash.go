package audit

import (
	"bytes"

	"ken/internal/jsonl"
	"ken/internal/memory"
)

// Rehash returns a line of the audit with the hash of a command sealed, and true, if an
// older version wrote it without a key; else the line itself and false.
func Rehash(line []byte, seal *memory.Seal) ([]byte, bool) {
	if seal == nil || !bytes.Contains(line, []byte(`"cmd"`)) {
		return line, false
	}
	fields, _, err := jsonl.Fields(line, nil)
	if err != nil {
		return line, false
	}
	out, hashed := []byte{'{'}, false
	for _, f := range fields {
		value := []byte(f.Value)
		switch string(f.Name) {
		case "keyed":
			return line, false
		case "cmd":
			if hash, ok := f.Value.Text(); ok {
				value, hashed = jsonl.AppendString(nil, seal.Hash(hash)), true
			}
		}
		out = append(jsonl.AppendName(out, string(f.Name)), value...)
	}
	return append(out, `,"keyed":true}`...), hashed
}
