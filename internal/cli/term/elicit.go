package term

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ken/internal/termsafe"
	"ken/internal/tool/mcp"
)

// elicit asks the person what a tool server wants to know, field by field. Enter is no where an answer is needed, and
// leaves out what is not; no answer at all is no.
func (a *Run) elicit(ctx context.Context, q mcp.Question) (map[string]any, bool) {
	a.Say("[ken] ", fmt.Sprintf("the server %s asks: %s", q.Server, q.Text))
	if len(q.Fields) == 0 {
		ok, err := a.Person.Confirm(ctx, "tell it yes?")
		return map[string]any{}, ok && err == nil
	}
	a.Say("", "  it gets what you answer; Enter is no")
	values := map[string]any{}
	for _, f := range q.Fields {
		v, ok := a.askField(ctx, f)
		switch {
		case ok:
			values[f.Name] = v
		case f.Required || ctx.Err() != nil:
			return nil, false
		}
	}
	return values, len(values) > 0
}

// askField asks for one of them; ok is false for no answer, or three that are none.
func (a *Run) askField(ctx context.Context, f mcp.Field) (value any, ok bool) {
	const tries = 3
	for range tries {
		line, err := a.Person.AskLine(ctx, "  "+fieldPrompt(f)+" > ")
		if err != nil || line == "" {
			return nil, false
		}
		v, wrong := readField(f, line)
		if wrong == "" {
			return v, true
		}
		a.Say("", "  want "+wrong)
	}
	return nil, false
}

// fieldPrompt says what is asked for.
func fieldPrompt(f mcp.Field) string {
	about := []string{}
	switch {
	case len(f.Words) > 0:
		about = append(about, termsafe.Cut("one of "+strings.Join(f.Words, ", "), 300))
	case f.Type == "boolean":
		about = append(about, "yes or no")
	case f.Type != "string" && f.Type != "":
		about = append(about, f.Type)
	}
	if f.Default != "" {
		about = append(about, "it suggests "+f.Default)
	}
	if !f.Required {
		about = append(about, "may be left out")
	}
	if len(about) == 0 {
		return f.Label
	}
	return f.Label + " (" + strings.Join(about, "; ") + ")"
}

// readField is an answer as a value of the field's type; wrong says what would be one.
func readField(f mcp.Field, line string) (value any, wrong string) {
	if len(f.Words) > 0 {
		if !slices.Contains(f.Words, line) {
			return nil, "one of " + strings.Join(f.Words, ", ")
		}
		return line, ""
	}
	switch f.Type {
	case "integer":
		n, err := strconv.ParseInt(line, 10, 64)
		if err != nil {
			return nil, "a whole number"
		}
		return n, ""
	case "number":
		n, err := strconv.ParseFloat(line, 64)
		if err != nil || n != n || n > 1e300 || n < -1e300 {
			return nil, "a number"
		}
		return n, ""
	case "boolean":
		switch strings.ToLower(line) {
		case "y", "yes", "true":
			return true, ""
		case "n", "no", "false":
			return false, ""
		}
		return nil, "yes or no"
	}
	return line, ""
}
