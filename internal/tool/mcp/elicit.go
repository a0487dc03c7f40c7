package mcp

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/tool/mcp/schema"
)

// A Question is what a server wants to know of the person in the middle of a call.
type Question struct {
	Server string
	Text   string // what it says, in one clean line
	Fields []Field
}

// A Field is one thing that it wants to know.
type Field struct {
	Name     string   // by which it is answered
	Label    string   // for the person, clean
	Type     string   // "string", "integer", "number" or "boolean"
	Words    []string // what it may be; nil: anything
	Default  string   // as JSON; "" for none
	Required bool
}

// Elicit asks the person. values are the answers by the names of the fields: strings, numbers and truth
// values; ok is false if the person said no, or nothing.
type Elicit func(ctx context.Context, q Question) (values map[string]any, ok bool)

// elicit answers a server that asks the person.
func (v *server) elicit(ctx context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	if r.Params.URL != "" { // an address to open: nobody does that on the word of a server
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	q := Question{Server: v.name, Text: schema.Line(r.Params.Message, 600), Fields: fieldsOf(raw(r.Params.RequestedSchema))}
	v.asking.Add(1)
	defer v.asking.Add(-1)
	values, ok := v.of.o.Elicit(ctx, q)
	if !ok {
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	return &mcp.ElicitResult{Action: "accept", Content: values}, nil
}

// fieldsOf reads the schema of a question.
func fieldsOf(b json.RawMessage) []Field {
	var s struct {
		Properties map[string]struct {
			Type, Title, Description string
			Enum                     []string
			OneOf                    []struct{ Const, Title string }
			Default                  json.RawMessage
		}
		Required []string
	}
	if json.Unmarshal(b, &s) != nil {
		return nil
	}
	var out []Field
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		f := Field{
			Name: name, Label: schema.Line(firstOf(p.Description, p.Title, name), 160), Type: p.Type, Words: p.Enum,
			Default: string(p.Default), Required: slices.Contains(s.Required, name),
		}
		for _, o := range p.OneOf {
			f.Words = append(f.Words, o.Const)
		}
		out = append(out, f)
	}
	return out
}
