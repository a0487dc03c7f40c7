package httpapi

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"ken/internal/memory"
	"ken/internal/view"
	"ken/internal/view/port"
)

// description is the table of routes as an OpenAPI document, for programs that make clients.
func description() (map[string]any, error) {
	paths := map[string]any{}
	for _, r := range routes() {
		op, err := operation(r)
		if err != nil {
			return nil, err
		}
		of, ok := paths[r.path].(map[string]any)
		if !ok {
			of = map[string]any{}
			paths[r.path] = of
		}
		of[strings.ToLower(r.method)] = op
	}
	fault, err := schemaOf(port.Problem{})
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"openapi": "3.1.0",
		"info": map[string]any{
			"title": "ken", "version": "1",
			"description": "One person's memory. What a client states or changes waits until the person says yes.",
		},
		"security": []any{map[string]any{"bearer": []string{}}, map[string]any{"basic": []string{}}},
		"paths":    paths,
		"components": map[string]any{
			"securitySchemes": map[string]any{
				"bearer": map[string]any{"type": "http", "scheme": "bearer"},
				"basic":  map[string]any{"type": "http", "scheme": "basic", "description": "any user, the token as the password"},
			},
			"schemas": map[string]any{"Problem": fault},
		},
	}, nil
}

// operation is one route of the document.
func operation(r route) (map[string]any, error) {
	op := map[string]any{"summary": r.about, "x-suggests": !r.reads}
	params := []any{}
	if strings.Contains(r.path, "{ref}") {
		params = append(params, map[string]any{
			"name": "ref", "in": "path", "required": true, "schema": map[string]any{"type": "string"},
			"description": "the memory, as it is named elsewhere",
		})
	}
	if strings.Contains(r.path, "{model}") {
		params = append(params, map[string]any{
			"name": "model", "in": "path", "required": true, "schema": map[string]any{"type": "string"}, "description": "its name",
		})
	}
	for _, p := range r.query {
		schema := map[string]any{"type": p.typ}
		if p.many {
			schema = map[string]any{"type": "array", "items": schema}
		}
		params = append(params, map[string]any{"name": p.name, "in": "query", "description": p.about, "schema": schema})
	}
	if len(params) > 0 {
		op["parameters"] = params
	}
	if r.takes != nil {
		schema, err := schemaOf(r.takes)
		if err != nil {
			return nil, err
		}
		schema.AdditionalProperties, schema.Required = nil, nil // what is not known is passed over
		op["requestBody"] = map[string]any{"content": content(schema)}
	}
	good := map[string]any{"description": "done"}
	if r.gives != nil {
		schema, err := schemaOf(r.gives)
		if err != nil {
			return nil, err
		}
		good["content"] = content(schema)
	}
	op["responses"] = map[string]any{
		"200": good,
		"default": map[string]any{
			"description": "whatever is no success", "content": content(map[string]any{"$ref": "#/components/schemas/Problem"}),
		},
	}
	return op, nil
}

func content(schema any) map[string]any {
	return map[string]any{"application/json": map[string]any{"schema": schema}}
}

// schemaOf is the schema of the JSON of a value's type.
func schemaOf(v any) (*jsonschema.Schema, error) {
	number := &jsonschema.Schema{Type: "object", AdditionalProperties: &jsonschema.Schema{Type: "number"}}
	s, err := jsonschema.ForType(reflect.TypeOf(v), &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage](): {}, // any JSON
		reflect.TypeFor[memory.ID]():       {},
		reflect.TypeFor[view.Parts]():      number,
	}})
	if err != nil {
		return nil, fmt.Errorf("describe %T: %w", v, err)
	}
	arrays(s)
	return s, nil
}

// arrays has lists be arrays, also where they are empty: none of ours is null.
func arrays(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if slices.Equal(s.Types, []string{"null", "array"}) {
		s.Types, s.Type = nil, "array"
	}
	for _, p := range s.Properties {
		arrays(p)
	}
	arrays(s.Items)
}
