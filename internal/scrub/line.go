package scrub

import (
	"bytes"

	"ken/internal/jsonl"
	"ken/internal/session"
)

// holds reports whether bytes of a line hold a text that is to go.
type holds func([]byte) bool

// turn is the line of a turn without what it says; line is one that can be read.
func (has holds) turn(line []byte) []byte {
	out := has.object(line, func(name string, v jsonl.Value) ([]byte, bool) {
		switch name {
		case "content":
			return jsonl.AppendString(nil, session.Gone), true
		case "raw", "attached":
			return nil, true
		case "tool_calls":
			return has.calls(v), true
		}
		return nil, false
	})
	if has(out) { // in a place where nobody would expect it
		out = has.object(line, func(name string, v jsonl.Value) ([]byte, bool) {
			switch name {
			case "content":
				return jsonl.AppendString(nil, session.Gone), true
			case "ts", "role", "n":
				return v, true
			}
			return nil, true
		})
	}
	return out
}

// other is the line of a header or an event without the texts.
func (has holds) other(line []byte) []byte {
	out := has.object(line, func(string, jsonl.Value) ([]byte, bool) { return nil, false })
	if !has(out) {
		return out
	}
	// It stands in a name that means something, or in a number.
	return has.object(line, func(name string, v jsonl.Value) ([]byte, bool) {
		switch name {
		case "meta":
			return has.object(v, func(name string, v jsonl.Value) ([]byte, bool) {
				if name == "format" || name == "session" || name == "channel" {
					return v, true
				}
				return nil, true
			}), true
		case "event":
			return jsonl.AppendString(nil, "erased"), true
		}
		return nil, true
	})
}

// object writes an object anew. place gives the value of a field, nil to leave the
// field out; not ok is as it stands, but for the texts.
func (has holds) object(line []byte, place func(name string, v jsonl.Value) (value []byte, ok bool)) []byte {
	out := []byte{'{'}
	for f, err := range jsonl.Object(line) {
		if err != nil {
			break // the line was read before: there is none
		}
		value, ok := place(string(f.Name), f.Value)
		if !ok {
			value = has.value(f.Value)
		}
		if value == nil {
			continue
		}
		name := string(f.Name)
		if !ok && has(f.Name) {
			name = session.Gone
		}
		out = append(jsonl.AppendName(out, name), value...)
	}
	return append(out, '}')
}

// value is v without the strings that hold a text.
func (has holds) value(v jsonl.Value) []byte {
	if !has(v) {
		return v
	}
	switch v.Type() {
	case "string":
		return jsonl.AppendString(nil, session.Gone)
	case "object":
		return has.object(v, func(string, jsonl.Value) ([]byte, bool) { return nil, false })
	case "array":
		return has.array(v, has.value)
	}
	return []byte("null")
}

func (has holds) array(v jsonl.Value, each func(jsonl.Value) []byte) []byte {
	out := []byte{'['}
	for e := range v.Elements() {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, each(e)...)
	}
	return append(out, ']')
}

// calls are the calls of tools without what they were called with. The calls stay:
// the turns of the tools answer them.
func (has holds) calls(v jsonl.Value) []byte {
	if v.Type() != "array" {
		return nil
	}
	arguments := func(name string, v jsonl.Value) ([]byte, bool) {
		if name == "arguments" && v.Type() == "string" {
			return []byte(`"{}"`), true
		}
		return nil, false
	}
	return has.array(v, func(call jsonl.Value) []byte {
		if call.Type() != "object" {
			return has.value(call)
		}
		return has.object(call, func(name string, v jsonl.Value) ([]byte, bool) {
			if name == "function" && v.Type() == "object" {
				return has.object(v, arguments), true
			}
			return arguments(name, v)
		})
	})
}

// sameLine reports whether a line says already what it would become.
func sameLine(line, to []byte) bool { return bytes.Equal(bytes.TrimSuffix(line, []byte("\r")), to) }
