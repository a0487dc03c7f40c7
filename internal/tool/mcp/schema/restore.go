package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// Restore turns the arguments of a model's call into those that the server's own schema,
// raw, wants: JSON and numbers that stand in a string come out of it, what Inert put in
// goes, and the note of a tool without parameters is dropped. Arguments that are no JSON
// object are an error.
func Restore(raw, args json.RawMessage, note bool) (json.RawMessage, error) {
	if len(bytes.TrimSpace(args)) == 0 {
		args = json.RawMessage("{}")
	}
	dec := json.NewDecoder(bytes.NewReader(args))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	given, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("the arguments are no JSON object")
	}
	root, err := decode(raw)
	if err != nil {
		return nil, err
	}
	c := cleaner{root: root}
	top := c.resolve(root, 0)
	if own, _ := top["properties"].(map[string]any); note && own[noteName] == nil {
		delete(given, noteName)
	}
	return encode(c.restore(top, given, 0))
}

// restore does it for a value and what is in it.
func (c *cleaner) restore(s map[string]any, v any, deep int) any {
	if deep > 16 {
		return v
	}
	if text, ok := v.(string); ok {
		return c.unquote(s, Plain(text))
	}
	switch v := v.(type) {
	case map[string]any:
		properties, _ := s["properties"].(map[string]any)
		out := make(map[string]any, len(v))
		for name, e := range v {
			m, _ := properties[name].(map[string]any)
			if e == nil && m != nil && !nullable(m) {
				continue // null for what was left out
			}
			out[name] = c.restore(c.resolve(m, 0), e, deep+1)
		}
		return out
	case []any:
		m, _ := s["items"].(map[string]any)
		items := c.resolve(m, 0)
		for i, e := range v {
			v[i] = c.restore(items, e, deep+1)
		}
	}
	return v
}

// nullable reports whether a schema says of itself that it takes null.
func nullable(s map[string]any) bool {
	b, err := encode(s)
	return err != nil || bytes.Contains(b, []byte(`null`))
}

// unquote takes a value out of a string where the schema wants no string.
func (c *cleaner) unquote(s map[string]any, text string) any {
	if c.takesText(s) {
		return text
	}
	switch kind(s) {
	case "integer", "number":
		if _, err := strconv.ParseFloat(text, 64); err == nil && json.Valid([]byte(text)) {
			return json.Number(text)
		}
	case "boolean":
		switch strings.ToLower(text) {
		case "true":
			return true
		case "false":
			return false
		}
	case "object", "array":
		dec := json.NewDecoder(strings.NewReader(text))
		dec.UseNumber()
		var v any
		if dec.Decode(&v) != nil || dec.More() {
			return text
		}
		_, isObject := v.(map[string]any)
		_, isList := v.([]any)
		if kind(s) == "object" && isObject || kind(s) == "array" && isList {
			return v
		}
	}
	return text
}

// takesText reports whether a string is one of the things that a resolved schema allows.
func (c *cleaner) takesText(s map[string]any) bool {
	if types, ok := s["type"].([]any); ok && slices.Contains(types, any("string")) {
		return true
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		for _, one := range schemas(s[key]) {
			if kind(c.resolve(one, 0)) == "string" {
				return true
			}
		}
	}
	return false
}
