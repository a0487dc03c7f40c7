package tool

import (
	"context"

	"ken/internal/jsonl"
)

// A Spec is a tool as a model is offered it.
type Spec struct {
	Name        string // letters, digits and _, at most 64: what all servers take
	Description string
	Params      []Param
}

// A Param is one argument of a tool. All are flat: small models fill nested ones wrong.
type Param struct {
	Name        string
	Type        Type
	Description string   // required: some chat templates fail without it
	Enum        []string // what it may be; nil: anything
	Required    bool
}

// A Type is what kind of value an argument is, in the words of JSON Schema.
type Type string

// The types.
const (
	String  Type = "string"
	Integer Type = "integer"
	Boolean Type = "boolean"
)

// A Tool is a spec with what calls of it would do.
type Tool struct {
	Spec
	// Plan says what a call would do; nothing is done yet. An error is one of the arguments, for the model.
	Plan func(ctx context.Context, args Args) (Act, error)
	// Here reports whether it is offered now, and May whether a call of it is answered; nil: always.
	Here, May func(ctx context.Context) bool
}

// Definition returns the spec as it goes into a request. The same spec is the same bytes.
func (s Spec) Definition() []byte {
	b := jsonl.AppendString([]byte(`{"type":"function","function":{"name":`), s.Name)
	b = jsonl.AppendString(append(b, `,"description":`...), s.Description)
	b = append(b, `,"parameters":{"type":"object","properties":{`...)
	var required []string
	for i, p := range s.Params {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsonl.AppendString(b, p.Name)
		b = jsonl.AppendString(append(b, `:{"type":`...), string(p.Type))
		if len(p.Enum) > 0 {
			b = appendStrings(append(b, `,"enum":`...), p.Enum)
		}
		b = append(jsonl.AppendString(append(b, `,"description":`...), p.Description), '}')
		if p.Required {
			required = append(required, p.Name)
		}
	}
	b = append(b, '}')
	if len(required) > 0 { // an empty list is refused by some
		b = appendStrings(append(b, `,"required":`...), required)
	}
	return append(b, "}}}"...)
}

// appendStrings appends a JSON array of strings.
func appendStrings(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsonl.AppendString(b, s)
	}
	return append(b, ']')
}

// param finds a parameter by its name.
func (s Spec) param(name string) (Param, bool) {
	for _, p := range s.Params {
		if p.Name == name {
			return p, true
		}
	}
	return Param{}, false
}
