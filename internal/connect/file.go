package connect

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"

	"ken/internal/jsonc"
)

// A File is a file of an assistant, and what is ken's in it.
type File struct {
	Path  string
	Keys  []string // where its entry stands; nil: the file is ken's alone
	Value string   // of its entry, as JSON

	agent  string
	own    string       // what a file that is ken's alone holds; "": it is not there
	within string       // the directory that goes with the last of its files; ""
	reader jsonc.Reader // what its program takes
}

// Snippet is what stands in the file, for a person who puts it there themselves.
func (f File) Snippet() string {
	if f.Keys == nil {
		return f.own
	}
	b, _ := jsonc.Set(nil, f.Value, f.Keys...) // an empty text takes any
	return string(b)
}

// A ForeignError says that something else stands where ken's entry belongs.
type ForeignError struct{ Path, What string }

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s: %s is not of this program", e.Path, e.What)
}

// A RejectedError says that the program that a file belongs to does not read it. Err is a *jsonc.Fault where the
// place is known.
type RejectedError struct {
	Path string
	Err  error
}

func (e *RejectedError) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *RejectedError) Unwrap() error { return e.Err }

// errProof says that an edit would change more than it is to.
var errProof = errors.New("the change would touch more than ken's entry")

// with is a file that says old with what is ken's; old is nil if there is none, and so is what is returned if
// there is to be none.
func (f File) with(old []byte) ([]byte, error) {
	if f.Keys == nil {
		if err := f.mine(old); err != nil {
			return nil, err
		}
		if f.own == "" {
			return nil, nil
		}
		if same(old, []byte(f.own)) {
			return old, nil
		}
		return []byte(f.own), nil
	}
	return f.edited(old, func() ([]byte, error) { return jsonc.Set(old, f.Value, f.Keys...) }, true)
}

// without is with, the other way.
func (f File) without(old []byte) ([]byte, error) {
	if f.Keys == nil {
		return nil, f.mine(old)
	}
	if old == nil {
		return nil, nil
	}
	return f.edited(old, func() ([]byte, error) {
		now, _, err := jsonc.Unset(old, f.Keys...)
		return now, err
	}, false)
}

// edited is the text of a shared file after an edit that touches ken's entry alone.
func (f File) edited(old []byte, edit func() ([]byte, error), there bool) ([]byte, error) {
	if err := jsonc.Check(old, f.reader); err != nil {
		return nil, &RejectedError{f.Path, err}
	}
	is, found, err := jsonc.Get(old, f.Keys...)
	if err != nil {
		return nil, &RejectedError{f.Path, err}
	}
	if found && !startsKen(is) {
		return nil, &ForeignError{f.Path, strings.Join(f.Keys, ".")}
	}
	now, err := edit()
	if err != nil {
		return nil, &RejectedError{f.Path, err}
	}
	if err := f.prove(old, now, there); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	return now, nil
}

// prove checks that two texts differ in ken's entry alone, and that it is there with its value, or not.
func (f File) prove(before, after []byte, there bool) error {
	if err := jsonc.Check(after, f.reader); err != nil {
		return err
	}
	is, found, err := jsonc.Get(after, f.Keys...)
	if err != nil {
		return err
	}
	want, err := jsonc.Decode([]byte(f.Value))
	if err != nil {
		return err
	}
	if found != there || there && !reflect.DeepEqual(is, want) {
		return errProof
	}
	was, err := jsonc.Decode(before)
	if err != nil {
		return err
	}
	now, err := jsonc.Decode(after)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(dropped(was, f.Keys), dropped(now, f.Keys)) {
		return errProof
	}
	return nil
}

// dropped is a decoded text without what stands at keys, and without the objects that held nothing else.
func dropped(v any, keys []string) any {
	o, ok := v.(map[string]any)
	if !ok || len(keys) == 0 {
		return v
	}
	if len(keys) == 1 {
		delete(o, keys[0])
		return o
	}
	if below, ok := o[keys[0]].(map[string]any); ok {
		if dropped(below, keys[1:]); len(below) == 0 {
			delete(o, keys[0])
		}
	}
	return o
}

// same reports whether two texts say the same.
func same(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	one, err := jsonc.Decode(a)
	other, err2 := jsonc.Decode(b)
	return len(a) > 0 && err == nil && err2 == nil && jsonc.Check(a, jsonc.Reader{}) == nil && reflect.DeepEqual(one, other)
}

// mine returns an error unless a file that is to be ken's alone is not there, says nothing, or is ken's.
func (f File) mine(old []byte) error {
	if len(bytes.TrimSpace(old)) == 0 {
		return nil
	}
	v, err := jsonc.Decode(old)
	if err != nil {
		return &RejectedError{f.Path, err}
	}
	o, _ := v.(map[string]any)
	if o["name"] == "ken" || startsKen(at(v, "mcpServers", "ken")) || runsHook(o["hooks"], f.agent) {
		return nil
	}
	return &ForeignError{f.Path, "what stands there"}
}

func at(v any, keys ...string) any {
	for _, key := range keys {
		o, _ := v.(map[string]any)
		v = o[key]
	}
	return v
}

// startsKen reports whether a server is ken's: a program of that name with the word mcp.
func startsKen(server any) bool {
	words := func(v any) (list []string) {
		all, _ := v.([]any)
		for _, w := range all {
			s, _ := w.(string)
			list = append(list, s)
		}
		return list
	}
	argv := words(at(server, "command"))
	if program, ok := at(server, "command").(string); ok {
		argv = append([]string{program}, words(at(server, "args"))...)
	}
	return len(argv) > 1 && isKen(argv[0]) && argv[1] == "mcp"
}

// isKen reports whether a path is of a program called ken.
func isKen(path string) bool {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	return strings.TrimSuffix(name, filepath.Ext(name)) == "ken"
}

// runsHook reports whether hooks run ken's hook for an assistant.
func runsHook(hooks any, agent string) bool {
	switch v := hooks.(type) {
	case string:
		program, ok := strings.CutSuffix(v, " hook "+agent)
		return ok && isKen(strings.Trim(program, `'"`))
	case []any:
		for _, e := range v {
			if runsHook(e, agent) {
				return true
			}
		}
	case map[string]any:
		for _, e := range v {
			if runsHook(e, agent) {
				return true
			}
		}
	}
	return false
}
