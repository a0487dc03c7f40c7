package delta

import (
	"bytes"
	"encoding/json"

	"ken/internal/llm/wire"
)

// A bag joins the fields of a message that ken does not know, over all its
// deltas, so that they can be sent back. See
// Whole.Raw for how.
type bag struct {
	names  []string // in the order in which they came
	fields map[string]*field
}

// A field holds either text that grows, or elements, or one raw value.
type field struct {
	text     []byte
	elements []element
	raw      json.RawMessage
	isText   bool
	isList   bool
	held     int  // bytes, about; the Assembler's account
	gone     bool // it was too long, and is not sent back
}

// An element of an array: an object that may grow, or any other value.
type element struct {
	object *bag
	raw    json.RawMessage
}

// add takes one field of one delta. raw is copied.
func (b *bag) add(name string, raw []byte) {
	if string(raw) == "null" {
		return
	}
	f := b.fields[name]
	if f == nil {
		f = &field{}
		if b.fields == nil {
			b.fields = map[string]*field{}
		}
		b.fields[name] = f
		b.names = append(b.names, name)
	}
	switch raw[0] {
	case '"':
		if !f.isText || lastWins(name) {
			*f = field{isText: true, held: f.held}
		}
		f.text = append(f.text, wire.Bytes(raw)...)
	case '[':
		if !f.isList {
			*f = field{isList: true, held: f.held}
		}
		for v := range wire.Elements(raw) {
			f.addElement(v)
		}
	default:
		*f = field{raw: bytes.Clone(raw), held: f.held}
	}
}

func (f *field) addElement(raw []byte) {
	if !wire.IsObject(raw) {
		f.elements = append(f.elements, element{raw: bytes.Clone(raw)})
		return
	}
	piece := &bag{}
	piece.addMembers(raw)
	if n := len(f.elements); n > 0 && f.elements[n-1].object.continuedBy(piece) {
		f.elements[n-1].object.addMembers(raw)
		return
	}
	f.elements = append(f.elements, element{object: piece})
}

func (b *bag) addMembers(raw []byte) {
	for name, v := range wire.Members(raw) {
		b.add(string(name), v)
	}
}

// continuedBy reports whether the next object is a further piece of b: both
// have the same index and type, and no id says otherwise.
func (b *bag) continuedBy(next *bag) bool {
	if b == nil || b.fields["index"] == nil || next.fields["index"] == nil {
		return false
	}
	for _, name := range []string{"index", "type"} {
		if !bytes.Equal(b.fields[name].json(), next.fields[name].json()) {
			return false
		}
	}
	id := next.fields["id"]
	return id == nil || bytes.Equal(id.json(), b.fields["id"].json())
}

// lastWins reports whether a string field of this name names something, so that
// a second one does not continue the first.
func lastWins(name string) bool {
	switch name {
	case "id", "type", "name", "format", "object", "model", "signature":
		return true
	}
	return false
}

// fieldsLeft returns what is worth sending back, nil if nothing is. Empty texts
// and lists are not, except reasoning: a server may ask for that field even if
// it is empty.
func (b *bag) fieldsLeft() map[string]json.RawMessage {
	var out map[string]json.RawMessage
	for _, name := range b.names {
		f := b.fields[name]
		if f.gone || f.isText && len(f.text) == 0 && name != "reasoning_content" || f.isList && len(f.elements) == 0 {
			continue
		}
		if out == nil {
			out = map[string]json.RawMessage{}
		}
		out[name] = f.json()
	}
	return out
}

func (f *field) json() json.RawMessage {
	switch {
	case f == nil:
		return nil
	case f.isText:
		return wire.AppendString(nil, string(f.text))
	case f.isList:
		out := []byte{'['}
		for i, e := range f.elements {
			if i > 0 {
				out = append(out, ',')
			}
			if e.object == nil {
				out = append(out, e.raw...)
				continue
			}
			out = e.object.appendJSON(out)
		}
		return append(out, ']')
	}
	return f.raw
}

func (b *bag) appendJSON(out []byte) []byte {
	out = append(out, '{')
	for i, name := range b.names {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(wire.AppendString(out, name), ':')
		out = append(out, b.fields[name].json()...)
	}
	return append(out, '}')
}
