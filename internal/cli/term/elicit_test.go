package term

import (
	"testing"

	"ken/internal/tool/mcp"
)

// TestField: an answer becomes a value of the type that the server wants, or none.
func TestField(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		field mcp.Field
		line  string
		want  any
		wrong string
	}{
		{mcp.Field{Type: "string"}, "blue", "blue", ""},
		{mcp.Field{}, "12", "12", ""},
		{mcp.Field{Type: "integer"}, "12", int64(12), ""},
		{mcp.Field{Type: "integer"}, "1.5", nil, "a whole number"},
		{mcp.Field{Type: "number"}, "1.5", 1.5, ""},
		{mcp.Field{Type: "number"}, "NaN", nil, "a number"},
		{mcp.Field{Type: "number"}, "Inf", nil, "a number"},
		{mcp.Field{Type: "boolean"}, "Yes", true, ""},
		{mcp.Field{Type: "boolean"}, "no", false, ""},
		{mcp.Field{Type: "boolean"}, "perhaps", nil, "yes or no"},
		{mcp.Field{Type: "string", Words: []string{"a", "b"}}, "b", "b", ""},
		{mcp.Field{Type: "string", Words: []string{"a", "b"}}, "c", nil, "one of a, b"},
	} {
		if got, wrong := readField(c.field, c.line); got != c.want || wrong != c.wrong {
			t.Errorf("%+v %q: %v %q, want %v %q", c.field, c.line, got, wrong, c.want, c.wrong)
		}
	}
	f := mcp.Field{Label: "how many", Type: "integer", Default: "3"}
	if got, want := fieldPrompt(f), "how many (integer; it suggests 3; may be left out)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
