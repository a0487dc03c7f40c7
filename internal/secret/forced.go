package secret

import (
	"bytes"

	"ken/internal/jsonl"
)

// ForcedField is the field of a line of the memory, of the value true, that says that
// the person had the text kept although a secret was found in it.
const ForcedField = "forced"

// Forced reports whether a line says that it was forced, and by the person's own
// word: nobody else can keep a secret.
func Forced(line []byte) bool {
	forced := false
	for f, err := range jsonl.Object(bytes.TrimPrefix(line, []byte("\ufeff"))) {
		if err != nil {
			return false
		}
		switch string(f.Name) {
		case ForcedField:
			forced, _ = f.Value.Bool()
		case "origin":
			if by, _ := f.Value.Text(); by != "user" {
				return false
			}
		}
	}
	return forced
}
