package trace

import (
	"bytes"
	"regexp"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/session"
)

// Rehash returns the line of a session with its sums sealed, and true, if it is a trace
// that an older version wrote without a key; else the line itself and false.
func Rehash(line []byte, seal *memory.Seal) ([]byte, bool) {
	if !bytes.Contains(line, []byte(session.EventWhy)) || seal == nil {
		return line, false
	}
	fields, _, err := jsonl.Fields(line, nil)
	if err != nil {
		return line, false
	}
	why, sums := false, false
	for _, f := range fields {
		switch string(f.Name) {
		case "event":
			name, _ := f.Value.Text()
			why = name == session.EventWhy
		case "chosen":
			sums = bytes.Contains(f.Value, []byte(`"h"`))
		case keyedField:
			if string(f.Value) == "true" {
				return line, false
			}
		}
	}
	end := bytes.LastIndexByte(line, '}')
	if !why || !sums || end < 0 {
		return line, false
	}
	// There is no text in a trace in which the same could stand.
	h := regexp.MustCompile(`"h"\s*:\s*"([0-9a-f]{8})"`)
	out := h.ReplaceAllFunc(line[:end], func(m []byte) []byte {
		return []byte(`"h":"` + seal.Hash(string(h.FindSubmatch(m)[1])) + `"`)
	})
	return append(append(out, `,"`+keyedField+`":true`...), line[end:]...), true
}
