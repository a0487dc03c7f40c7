package foreign

import (
	"bytes"

	"ken/internal/jsonl"
)

// A Shape is how the values of a file follow each other.
type shape int

// The shapes.
const (
	inLines  shape = iota // an object on each line
	InValues              // values one after another; of an array its elements
	InFields              // one object, whose lists are gone through
)

// ShapeOf returns the shape of JSON from its beginning. lists are the names of the
// fields that hold what is wanted, if all of it stands in one object.
func shapeOf(head []byte, lists ...string) shape {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(text) == 0 || text[0] != '{' {
		return InValues
	}
	for _, name := range lists {
		if _, rest, ok := bytes.Cut(text, []byte(`"`+name+`"`)); ok {
			rest = bytes.TrimLeft(rest, " \t\r\n")
			if rest, ok = bytes.CutPrefix(rest, []byte(":")); ok && bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte("[")) {
				return InFields
			}
		}
	}
	whole, rows := 0, 0
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		rows++
		if _, _, err := jsonl.Fields(line, nil); err == nil {
			whole++
		}
	}
	if whole > 0 && rows > 1 {
		return inLines
	}
	return InValues
}
