package tool

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ken/internal/frame"
	"ken/internal/llm"
	"ken/internal/llm/wire"
)

// A Set is the tools that a conversation offers, in the order in which they are sent.
type Set []Spec

// A Call is a model's call as it was understood.
type Call struct {
	ID   string // by which the result is found
	Name string // of a spec of the set
	Args Args
}

// Args are the arguments of a call, by the names of the spec, each of the type that it says.
type Args struct {
	values map[string]any // string, int or bool
	raw    string         // as JSON, for those who are shown them
}

// Text returns a string argument; "" if it was left out.
func (a Args) Text(name string) string {
	s, _ := a.values[name].(string)
	return s
}

// Int returns a number; 0 if it was left out.
func (a Args) Int(name string) int {
	n, _ := a.values[name].(int)
	return n
}

// Bool returns a truth value; false if it was left out.
func (a Args) Bool(name string) bool {
	b, _ := a.values[name].(bool)
	return b
}

// Has reports whether an argument was given.
func (a Args) Has(name string) bool { return a.values[name] != nil }

// RawArgs are arguments as they were written: of a tool that reads them itself.
func RawArgs(object string) Args { return Args{raw: object} }

// JSON returns the arguments as the model wrote them, one object.
func (a Args) JSON() string { return a.raw }

// A CallError says why a call was not understood, in words for the model.
type CallError struct{ Text string }

func (e *CallError) Error() string { return e.Text }

// names are what models call a tool that they know from elsewhere under another name.
func names() map[string]string {
	return map[string]string{
		"bash": "shell", "run_shell_command": "shell", "execute_command": "shell", "exec_command": "shell",
		"read": "read_file", "view": "read_file", "cat": "read_file",
		"edit": "edit_file", "replace": "edit_file", "str_replace": "edit_file",
		"write": "write_file", "create_file": "write_file",
		"grep": "search_files", "glob": "search_files", "find": "search_files", "ls": "read_file",
	}
}

// params are the same for arguments: each tool has at most one of those that share a word.
func params() map[string]string {
	return map[string]string{
		"cmd": "command", "script": "command",
		"file_path": "path", "filename": "path", "file": "path",
		"old_string": "old", "oldText": "old", "old_str": "old", "search": "old",
		"new_string": "new", "newText": "new", "new_str": "new", "replace": "new",
	}
}

// Named finds the tool that a model means by a name.
func (s Set) Named(name string) (Spec, bool) {
	name = strings.TrimSpace(name)
	for _, want := range []string{name, names()[strings.ToLower(name)]} {
		for _, spec := range s {
			if want != "" && spec.Name == want {
				return spec, true
			}
		}
	}
	return Spec{}, false
}

// mostQuoted is how much of what a model wrote is said back to it, in bytes.
const mostQuoted = 200

// Read understands a call. The error is a *CallError; what it says goes back to the model.
func (s Set) Read(c llm.ToolCall) (Call, error) {
	call := Call{ID: c.ID, Name: c.Name}
	spec, ok := s.Named(c.Name)
	if !ok {
		return call, &CallError{fmt.Sprintf("no tool %q; there are: %s", cut(c.Name), strings.Join(s.Names(), ", "))}
	}
	call.Name = spec.Name
	raw := []byte(strings.TrimSpace(c.Arguments))
	if text, ok := wire.Text(raw); ok && json.Valid(raw) { // JSON in a string of JSON
		raw = []byte(strings.TrimSpace(text))
	}
	if len(raw) == 0 {
		raw = []byte("{}")
	}
	if !json.Valid(raw) || !wire.IsObject(raw) {
		why := "no JSON object"
		if err := json.Unmarshal(raw, new(any)); err != nil {
			why = err.Error()
		}
		return call, &CallError{fmt.Sprintf("the arguments of %s cannot be read (%s): %s", spec.Name, why, cut(string(raw)))}
	}
	call.Args = Args{values: make(map[string]any), raw: string(raw)}
	for name, value := range wire.Members(raw) {
		p, ok := spec.param(string(name))
		if !ok {
			if p, ok = spec.param(params()[string(name)]); !ok || call.Args.Has(p.Name) {
				continue // what a tool does not know it does not do
			}
		}
		if string(value) == "null" {
			continue
		}
		v, err := p.value(value)
		if err != nil {
			return call, &CallError{fmt.Sprintf("%s: %s: %v", spec.Name, p.Name, err)}
		}
		call.Args.values[p.Name] = v
	}
	for _, p := range spec.Params {
		if p.Required && !call.Args.Has(p.Name) {
			return call, &CallError{fmt.Sprintf("%s needs %s: %s", spec.Name, p.Name, p.Description)}
		}
	}
	return call, nil
}

// Names are those of the tools.
func (s Set) Names() []string {
	list := make([]string, len(s))
	for i, spec := range s {
		list[i] = spec.Name
	}
	return list
}

// value reads a JSON value as the parameter wants it. Numbers and truth values in quotes count.
func (p Param) value(raw []byte) (any, error) {
	text := wire.Word(raw)
	switch p.Type {
	case Integer:
		n, err := strconv.Atoi(strings.TrimSuffix(text, ".0"))
		if err != nil {
			return nil, fmt.Errorf("want a whole number, not %s", cut(string(raw)))
		}
		return n, nil
	case Boolean:
		if text == "" {
			text = string(raw)
		}
		b, err := strconv.ParseBool(strings.ToLower(text))
		if err != nil {
			return nil, fmt.Errorf("want true or false, not %s", cut(string(raw)))
		}
		return b, nil
	}
	s, ok := wire.Text(raw)
	if !ok {
		return nil, fmt.Errorf("want a text, not %s", cut(string(raw)))
	}
	s = frame.Plain(s) // which a model copies from results
	if len(p.Enum) > 0 && !slices.Contains(p.Enum, s) {
		return nil, fmt.Errorf("want one of %s, not %q", strings.Join(p.Enum, ", "), cut(s))
	}
	return s, nil
}

// cut is the beginning of what a model wrote, in one line.
func cut(s string) string { return wire.Line(s, mostQuoted) }

// Unfenced takes a fence of code off a command, which models put around it.
func Unfenced(command string) string {
	s := strings.TrimSpace(command)
	rest, ok := strings.CutPrefix(s, "```")
	inner, closed := strings.CutSuffix(rest, "```")
	if !ok || !closed || strings.Contains(inner, "```") {
		return command
	}
	if first, body, ok := strings.Cut(inner, "\n"); ok && !strings.ContainsAny(first, " \t") {
		inner = body // behind the language
	}
	return strings.TrimSpace(inner)
}
