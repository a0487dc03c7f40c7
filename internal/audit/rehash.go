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
	hashed, keyed := false, false
	out, err := jsonl.MapFields(line, func(name string, v jsonl.Value) jsonl.Value {
		keyed = keyed || name == "keyed"
		hash, ok := v.Text()
		if name != "cmd" || !ok {
			return v
		}
		hashed = true
		return jsonl.AppendString(nil, seal(hash))
	})
	if err != nil || keyed || !hashed {
		return line, false
	}
	return append(out[:len(out)-1], `,"keyed":true}`...), true
}
