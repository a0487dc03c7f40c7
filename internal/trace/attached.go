package trace

import (
	"encoding/json"
	"strconv"

	"ken/internal/jsonl"
)

// An Attached is a file that went along with a question, as the turn of the question has it in
// its field "attached". What a text holds stands in the content of the turn; of a picture there is
// this and nothing more.
type Attached struct {
	Name  string // "name": as the person wrote it
	Kind  string // "kind": "text", "image" or "directory"
	Bytes int64  // "bytes", of the file; 0 for a directory
	Path  string // "path", of a picture: where it can be read again
	Hash  string // "h", of a picture: what it held, sealed with the person's key
}

// AttachedJSON returns files as the field of a turn; nil for none.
func AttachedJSON(list []Attached) json.RawMessage {
	if len(list) == 0 {
		return nil
	}
	b := []byte{'['}
	for i, a := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '{')
		for _, f := range [...]struct{ name, text string }{{"name", a.Name}, {"kind", a.Kind}, {"path", a.Path}, {"h", a.Hash}} {
			if f.text != "" {
				b = jsonl.AppendString(jsonl.AppendName(b, f.name), f.text)
			}
		}
		if a.Bytes > 0 {
			b = strconv.AppendInt(jsonl.AppendName(b, "bytes"), a.Bytes, 10)
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

// ReadAttached reads what AttachedJSON wrote. What cannot be read is left out.
func ReadAttached(raw json.RawMessage) (list []Attached) {
	for e := range jsonl.Value(raw).Elements() {
		if e.Type() != "object" {
			continue
		}
		f := fieldsOf(e)
		var a Attached
		a.Name, _ = f["name"].Text()
		a.Kind, _ = f["kind"].Text()
		a.Path, _ = f["path"].Text()
		a.Hash, _ = f["h"].Text()
		a.Bytes, _ = f["bytes"].Int()
		if a.Name != "" {
			list = append(list, a)
		}
	}
	return list
}
