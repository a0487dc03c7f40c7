package audit

import (
	"bytes"

	"ken/internal/jsonl"
)

// Rehash returns a line of the audit with the hash of a command sealed, and true, if an
// older version wrote it without a key; else the line itself and false. seal is that of
// memory.Seal.
func Rehash(line []byte, seal func(hash string) string) ([]byte, bool) {
	if !bytes.Contains(line, []byte(`"cmd"`)) {
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
				value, hashed = jsonl.AppendString(nil, seal(hash)), true
			}
		}
		out = append(jsonl.AppendName(out, string(f.Name)), value...)
	}
	if !hashed {
		return line, false
	}
	return append(out, `,"keyed":true}`...), true
}
