package connect

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"ken/internal/config/edit"
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
	table  object       // its entry in a file of TOML, in place of Value; nil: the file is JSON
	only   string       // of a file that is ken's alone: the one text that is known as ken's; "": it is JSON, which says it
	// elements are what lists elsewhere in a shared file of JSON hold.
	elements []element
}

// An element is one of a list in a shared file.
type element struct {
	keys  []string // of the list
	value string   // as JSON
	there bool     // it is to be there
}

// Snippet is what stands in the file, for a person who puts it there themselves.
func (f File) Snippet() string {
	if f.Keys == nil {
		return f.own
	}
	if f.table != nil {
		b, _ := f.setTable(nil) // as below
		return string(b)
	}
	b, _ := f.put(nil) // an empty text takes any
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
		if f.own == "" && f.others(old) {
			return old, nil
		}
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
	if f.table != nil {
		return f.tabled(old, func() ([]byte, error) { return f.setTable(old) }, true)
	}
	return f.edited(old, func() ([]byte, error) { return f.put(old) }, true)
}

// without is with, the other way.
func (f File) without(old []byte) ([]byte, error) {
	if f.Keys == nil {
		if f.others(old) {
			return old, nil
		}
		return nil, f.mine(old)
	}
	if old == nil {
		return nil, nil
	}
	if f.table != nil {
		return f.tabled(old, func() ([]byte, error) {
			now, _, err := edit.Unset(old, f.Keys)
			return now, err
		}, false)
	}
	return f.edited(old, func() ([]byte, error) {
		now, err := old, error(nil)
		for _, e := range slices.Backward(f.elements) { // what was put in last goes first
			if now, _, err = jsonc.Drop(now, e.value, e.keys...); err != nil {
				return nil, err
			}
		}
		now, _, err = jsonc.Unset(now, f.Keys...)
		return now, err
	}, false)
}

// put is a text of JSON with the entry, and with the elements that are to be there and no others of ken's.
func (f File) put(old []byte) ([]byte, error) {
	now, err := jsonc.Set(old, f.Value, f.Keys...)
	for _, e := range f.elements {
		switch {
		case err != nil:
			return nil, err
		case e.there:
			now, err = jsonc.Add(now, e.value, e.keys...)
		default:
			now, _, err = jsonc.Drop(now, e.value, e.keys...)
		}
	}
	return now, err
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
	for _, e := range f.elements {
		value, err := jsonc.Decode([]byte(e.value))
		if err != nil {
			return err
		}
		if _, held := lacking(at(now, e.keys...), value); held != (there && e.there) {
			return errProof
		}
		was, now = emptied(was, e.keys, value), emptied(now, e.keys, value)
	}
	if !reflect.DeepEqual(dropped(was, f.Keys), dropped(now, f.Keys)) {
		return errProof
	}
	return nil
}

// lacking is a list without the elements that are value; held is whether there are any. It is nil of what is no list.
func lacking(list, value any) (rest []any, held bool) {
	all, _ := list.([]any)
	for _, e := range all {
		if reflect.DeepEqual(e, value) {
			held = true
		} else {
			rest = append(rest, e)
		}
	}
	return rest, held
}

// emptied is a decoded text whose list at keys lacks value. A list, and objects, that held nothing else are gone.
func emptied(v any, keys []string, value any) any {
	list, ok := at(v, keys...).([]any)
	if !ok {
		return v
	}
	rest, _ := lacking(list, value)
	if len(rest) == 0 {
		return dropped(v, keys)
	}
	within, _ := at(v, keys[:len(keys)-1]...).(map[string]any)
	within[keys[len(keys)-1]] = rest
	return v
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

// others reports whether a file whose text is known says something else: there is nothing of ken's to take out.
func (f File) others(old []byte) bool { return f.only != "" && string(old) != f.only }

// mine returns an error unless a file that is to be ken's alone is not there, says nothing, or is ken's.
func (f File) mine(old []byte) error {
	if len(bytes.TrimSpace(old)) == 0 {
		return nil
	}
	if f.only != "" {
		if f.others(old) {
			return &ForeignError{f.Path, "what stands there"}
		}
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
