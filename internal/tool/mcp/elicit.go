package mcp

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/termsafe"
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
	v.mu.Lock()
	called := len(v.asked) > 0
	v.mu.Unlock()
	if !called { // nothing was asked of it: the person is doing something else
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	q := Question{Server: v.name, Text: seen(r.Params.Message, 600), Fields: fieldsOf(raw(r.Params.RequestedSchema))}
	const most = 10
	if len(q.Fields) > most { // a form that long is no question in the middle of a call
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	v.asking.Add(1)
	defer v.asking.Add(-1)
	values, ok := v.of.o.Elicit(ctx, q)
	if !ok {
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	return &mcp.ElicitResult{Action: "accept", Content: values}, nil
}

// seen is what a server says, for the person: in one line, with control characters visible.
func seen(s string, most int) string {
	return termsafe.Cut(termsafe.Unpad(termsafe.Visible(strings.Join(strings.Fields(s), " "))), most)
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
			Name: name, Label: seen(firstOf(p.Description, p.Title, name), 160), Type: p.Type,
			Default: seen(string(p.Default), 160), Required: slices.Contains(s.Required, name),
		}
		for _, o := range p.OneOf {
			p.Enum = append(p.Enum, o.Const)
		}
		for _, word := range p.Enum {
			if seen(word, len(word)) == word { // what cannot be typed is no choice
				f.Words = append(f.Words, word)
			}
		}
		out = append(out, f)
	}
	return out
}
