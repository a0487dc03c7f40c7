package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

const (
	mostSchema = 64 << 10 // of a schema as a server sends it, in bytes
	mostClean  = 8 << 10  // of what becomes of it
	mostRefs   = 4        // references inside one another that are followed
	mostDeep   = 2        // objects inside the one of all parameters
	mostEnum   = 40       // values that are listed
)

// noteName is the parameter of a tool that has none: a grammar cannot be made of an object
// without properties.
const noteName = "note"

// Parameters is a schema as models take it.
type Parameters struct {
	JSON json.RawMessage // one object
	Note bool            // the tool has no parameters: note stands for none, and Restore drops it
}

// Clean returns the parameters of a tool as models take them: see the laws of the package.
// The error says why a tool cannot be offered.
func Clean(raw json.RawMessage) (Parameters, error) {
	if len(raw) > mostSchema {
		return Parameters{}, fmt.Errorf("its parameters take %d KB", len(raw)>>10)
	}
	root, err := decode(raw)
	if err != nil {
		return Parameters{}, err
	}
	c := cleaner{root: root}
	out, err := c.object(c.resolve(root, 0), 0)
	if err != nil {
		return Parameters{}, err
	}
	p := Parameters{}
	if out == nil {
		p.Note = true
		out = map[string]any{"type": "object", "properties": map[string]any{
			noteName: map[string]any{"type": "string", "description": "leave it out"},
		}}
	}
	if p.JSON, err = encode(out); err != nil {
		return Parameters{}, err
	}
	if len(p.JSON) > mostClean {
		return Parameters{}, fmt.Errorf("its parameters take %d KB", len(p.JSON)>>10)
	}
	return p, nil
}

func decode(raw json.RawMessage) (map[string]any, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return map[string]any{}, nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, fmt.Errorf("its parameters are no JSON: %w", err)
	}
	switch v := v.(type) {
	case map[string]any:
		return v, nil
	case nil, bool:
		return map[string]any{}, nil
	}
	return nil, errors.New("its parameters are no object")
}

// encode writes a value with its keys in order, and < as it is.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// A cleaner cleans one schema.
type cleaner struct {
	root  map[string]any
	steps int // how often something was resolved: a schema may refer to itself in many ways
}

const mostSteps = 4000

// resolve returns a schema with what it refers to and what it is combined of put into one.
func (c *cleaner) resolve(s map[string]any, refs int) map[string]any {
	if c.steps++; c.steps > mostSteps {
		return map[string]any{}
	}
	out := maps.Clone(s)
	if out == nil {
		out = map[string]any{}
	}
	if ref, ok := s["$ref"].(string); ok {
		delete(out, "$ref")
		if to := c.find(ref); to != nil && refs < mostRefs {
			merge(out, c.resolve(to, refs+1), true)
		}
	}
	for _, part := range schemas(s["allOf"]) {
		merge(out, c.resolve(part, refs), true)
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		c.either(out, schemas(s[key]), refs)
	}
	if v, ok := s["const"]; ok && out["enum"] == nil {
		out["enum"] = []any{v}
	}
	return out
}

// either puts the one of several schemas that says most into out: the only one that is
// not null, all of one word each, or the first.
func (c *cleaner) either(out map[string]any, several []map[string]any, refs int) {
	var list []map[string]any
	for _, s := range several {
		if r := c.resolve(s, refs); kind(r) != "null" {
			list = append(list, r)
		}
	}
	var words []any
	for _, s := range list {
		enum, ok := s["enum"].([]any)
		if !ok {
			words = nil
			break
		}
		words = append(words, enum...)
	}
	switch {
	case len(list) == 0:
	case len(words) > 0:
		merge(out, map[string]any{"enum": words, "type": kind(list[0])}, false)
	default:
		merge(out, list[0], len(list) == 1)
	}
}

// merge adds to a schema what another says; required only where both hold.
func merge(out, more map[string]any, both bool) {
	for key, v := range more {
		switch have := out[key].(type) {
		case nil:
			if key != "required" || both {
				out[key] = v
			}
		case map[string]any:
			if m, ok := v.(map[string]any); ok && key == "properties" {
				all := maps.Clone(m)
				maps.Copy(all, have)
				out[key] = all
			}
		case []any:
			if l, ok := v.([]any); ok && key == "required" && both {
				out[key] = slices.Concat(have, l)
			}
		}
	}
}

// schemas are the schemas of a list.
func schemas(v any) []map[string]any {
	list, _ := v.([]any)
	var out []map[string]any
	for _, e := range list {
		if m, ok := e.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// find returns the schema at a place of this very schema; nil for any other.
func (c *cleaner) find(ref string) map[string]any {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	at := c.root
	for part := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if part == "" {
			continue
		}
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		next, ok := at[part].(map[string]any)
		if !ok {
			return nil
		}
		at = next
	}
	return at
}

// kind is the one type of a schema; "" if it says none.
func kind(s map[string]any) string {
	switch t := s["type"].(type) {
	case string:
		return t
	case []any:
		for _, e := range t {
			if name, ok := e.(string); ok && name != "null" {
				return name
			}
		}
		return "null"
	}
	switch enum, _ := s["enum"].([]any); {
	case s["properties"] != nil:
		return "object"
	case s["items"] != nil:
		return "array"
	case len(enum) > 0:
		switch enum[0].(type) {
		case string:
			return "string"
		case json.Number:
			return "number"
		case bool:
			return "boolean"
		case nil:
			return "null"
		}
	}
	return ""
}

// object cleans a resolved schema of an object; nil if it has no properties.
func (c *cleaner) object(s map[string]any, deep int) (map[string]any, error) {
	properties, _ := s["properties"].(map[string]any)
	required := map[string]bool{}
	list, _ := s["required"].([]any)
	for _, e := range list {
		if name, ok := e.(string); ok && properties[name] != nil {
			required[name] = true
		}
	}
	out := map[string]any{}
	for name, v := range properties {
		if !goodName(name) {
			if required[name] {
				return nil, fmt.Errorf("a parameter has the name %q", Line(name, 40))
			}
			continue
		}
		m, _ := v.(map[string]any)
		p, err := c.value(c.resolve(m, 0), name, deep+1)
		if err != nil {
			return nil, err
		}
		out[name] = p
	}
	if len(out) == 0 {
		return nil, nil
	}
	o := map[string]any{"type": "object", "properties": out}
	if len(required) > 0 {
		o["required"] = slices.Sorted(maps.Keys(required))
	}
	return o, nil
}

// goodName reports whether endpoints take a name of a parameter.
func goodName(name string) bool {
	for _, c := range []byte(name) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("_.$-", rune(c)) {
			return false
		}
	}
	return name != "" && len(name) <= 64
}

// value cleans a resolved schema of one value.
func (c *cleaner) value(s map[string]any, name string, deep int) (map[string]any, error) {
	text, _ := s["description"].(string)
	text = Line(text, mostOfParameter)
	if text == "" {
		text = "the " + strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == '.' }), " ")
	}
	switch kind(s) {
	case "object":
		if deep <= mostDeep {
			o, err := c.object(s, deep)
			if err != nil {
				return nil, err
			}
			if o != nil {
				o["description"] = text
				return o, nil
			}
		}
		return map[string]any{"type": "string", "description": text + " (a JSON object)"}, nil
	case "array":
		m, _ := s["items"].(map[string]any)
		items, err := c.value(c.resolve(m, 0), "item", deep+1)
		if err != nil {
			return nil, err
		}
		if _, said := m["description"]; !said {
			delete(items, "description")
		}
		return map[string]any{"type": "array", "description": text, "items": items}, nil
	case "integer", "number", "boolean":
		out := map[string]any{"type": kind(s), "description": text}
		if enum, _ := s["enum"].([]any); kind(s) != "boolean" && allOf[json.Number](enum) {
			out["enum"] = enum
		}
		return out, nil
	}
	out := map[string]any{"type": "string", "description": text}
	enum, _ := s["enum"].([]any)
	enum = slices.DeleteFunc(slices.Clone(enum), func(v any) bool { return v == nil })
	if allOf[string](enum) {
		words := make([]any, 0, len(enum))
		for _, w := range enum {
			words = append(words, Inert(w.(string))) //nolint:errcheck,forcetypeassert // allOf has seen it
		}
		out["enum"] = words
	}
	return out, nil
}

// allOf reports whether a list may stand as an enum: some values, not too many, of one type.
func allOf[T any](list []any) bool {
	for _, v := range list {
		if _, ok := v.(T); !ok {
			return false
		}
	}
	return len(list) > 0 && len(list) <= mostEnum
}
