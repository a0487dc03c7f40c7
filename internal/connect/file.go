package connect

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"ken/internal/config/edit"
	"ken/internal/jsonc"
)

// A File is a file of an assistant, and what is ken's in it.
type File struct {
	Path  string
	Keys  []string // where its entry stands; nil: the file is ken's alone, or has elements alone
	Value string   // of its entry, as JSON

	agent  string
	own    string       // what a file that is ken's alone holds; "": it is not there
	top    string       // of the project that it is in, which it does not lead out of; ""
	within string       // the directory that goes with the last of its files; ""
	reader jsonc.Reader // what its program takes
	table  object       // its entry in a file of TOML, in place of Value; nil: the file is JSON
	only   string       // of a file that is ken's alone: the one text that is known as ken's; "": it is JSON, which says it
	// elements are what lists elsewhere in a shared file of JSON hold.
	elements []element
	lines    bool    // the file is one of instructions, which has lines of ken's
	told     bool    // they are to be there
	word     string  // that ken is started with; "": mcp
	also     []entry // further ones in a shared file of JSON
}

// An entry is what has a program started, in a shared file of JSON.
type entry struct {
	keys        []string
	value, word string
}

// entries are those of a shared file of JSON.
func (f File) entries() (all []entry) {
	if f.Keys != nil {
		all = []entry{{f.Keys, f.Value, cmp.Or(f.word, mcpWord)}}
	}
	return append(all, f.also...)
}

// mcpWord is the word for a server of tools, and acpWord that for an agent in an editor.
const mcpWord, acpWord = "mcp", "acp"

// An element is one of a list in a shared file.
type element struct {
	keys  []string // of the list
	value string   // as JSON
	there bool     // it is to be there
	// ours reports whether an element of the list, decoded, is ken's whatever it says; nil: those equal to the value are.
	ours func(v any) bool
}

// is reports whether an element of a list, decoded, is this one, in this form or another.
func (e element) is(v any) bool {
	if e.ours != nil {
		return e.ours(v)
	}
	value, err := jsonc.Decode([]byte(e.value))
	return err == nil && reflect.DeepEqual(v, value)
}

// drop is a text without the element, and without others of the list that are ken's.
func (e element) drop(src []byte) (now []byte, err error) {
	v, err := jsonc.Decode(src)
	if err != nil {
		return nil, err
	}
	list, _ := at(v, e.keys...).([]any)
	now = src
	for _, one := range list {
		if e.is(one) {
			if now, _, err = jsonc.Drop(now, text(one), e.keys...); err != nil {
				return nil, err
			}
		}
	}
	return now, nil
}

// put is a text with the element, and no other of the list that is ken's. One that is there stays where it is.
func (e element) put(src []byte) (now []byte, err error) {
	if !e.there {
		return e.drop(src)
	}
	v, err := jsonc.Decode(src)
	if err != nil {
		return nil, err
	}
	want, err := jsonc.Decode([]byte(e.value))
	if err != nil {
		return nil, err
	}
	list, _ := at(v, e.keys...).([]any)
	if n := count(list, e.is); n > 1 || n == 1 && !slices.ContainsFunc(list, func(one any) bool { return reflect.DeepEqual(one, want) }) {
		if src, err = e.drop(src); err != nil {
			return nil, err
		}
	}
	return jsonc.Add(src, e.value, e.keys...)
}

func count(list []any, is func(any) bool) (n int) {
	for _, v := range list {
		if is(v) {
			n++
		}
	}
	return n
}

// Snippet is what stands in the file, for a person who puts it there themselves.
func (f File) Snippet() string {
	if f.alone() {
		return f.own
	}
	if f.lines {
		b, _ := f.with(nil) // as below
		return string(b)
	}
	if f.table != nil {
		b, _ := f.setTable(nil) // as below
		return string(b)
	}
	b, _ := f.put(nil) // an empty text takes any
	return string(b)
}

// alone reports whether a file is ken's alone.
func (f File) alone() bool { return f.Keys == nil && f.elements == nil && !f.lines }

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
	if f.lines && f.told {
		return f.sectioned(old)
	}
	if f.lines {
		if now, err := f.unsectioned(old); err == nil {
			return now, nil
		}
		return old, nil // nothing was asked of it
	}
	if f.alone() {
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
	if f.Keys == nil && !slices.ContainsFunc(f.elements, func(e element) bool { return e.there }) {
		return f.without(old)
	}
	return f.edited(old, func() ([]byte, error) { return f.put(old) }, true)
}

// without is with, the other way.
func (f File) without(old []byte) ([]byte, error) {
	if f.lines {
		return f.unsectioned(old)
	}
	if f.alone() {
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
	return f.edited(old, func() (now []byte, err error) {
		now = old
		for _, e := range slices.Backward(f.elements) { // what was put in last goes first
			if now, err = e.drop(now); err != nil {
				return nil, err
			}
		}
		for _, e := range slices.Backward(f.entries()) {
			if now, _, err = jsonc.Unset(now, e.keys...); err != nil {
				return nil, err
			}
		}
		return now, err
	}, false)
}

// put is a text of JSON with the entry, and with the elements that are to be there and no others of ken's. See begun for one
// that says nothing.
func (f File) put(old []byte) (now []byte, err error) {
	if saysNothing(old) {
		const empty = "{}\n"
		if now, err = f.put([]byte(empty)); string(now) == empty || err != nil {
			return old, err
		}
		now = indents().ReplaceAllFunc(now, func(in []byte) []byte { return bytes.Repeat([]byte("\t"), len(in)/2) })
		if old == nil {
			return now, nil
		}
		return slices.Concat(old, bytes.TrimSuffix(now, []byte("\n"))), nil
	}
	now = old
	for _, e := range f.entries() {
		if now, err = jsonc.Set(now, e.value, e.keys...); err != nil {
			return nil, err
		}
	}
	for _, e := range f.elements {
		if now, err = e.put(now); err != nil {
			return nil, err
		}
	}
	return now, nil
}

// edited is the text of a shared file after an edit that touches ken's entry alone.
func (f File) edited(old []byte, edit func() ([]byte, error), there bool) ([]byte, error) {
	if err := jsonc.Check(old, f.reader); err != nil {
		return nil, &RejectedError{f.Path, err}
	}
	for _, e := range f.entries() {
		is, found, err := jsonc.Get(old, e.keys...)
		if err != nil {
			return nil, &RejectedError{f.Path, err}
		}
		if found && !startsKen(is, e.word) {
			return nil, &ForeignError{f.Path, strings.Join(e.keys, ".")}
		}
	}
	if err := f.unmixed(old); err != nil {
		return nil, err
	}
	now, err := edit()
	if err != nil {
		return nil, &RejectedError{f.Path, err}
	}
	if err := f.prove(old, now, there); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	if !there && old != nil {
		return begun(old, now), nil
	}
	return now, nil
}

const byteOrderMark = "\ufeff"

// saysNothing reports whether a text is of spaces alone.
func saysNothing(src []byte) bool {
	return len(bytes.TrimSpace(bytes.TrimPrefix(src, []byte(byteOrderMark)))) == 0
}

func indents() *regexp.Regexp { return regexp.MustCompile(`(?m)^(  )+`) }

// begun is what a file held before it was begun for what is ken's, where nothing else is in it; nil: there was none. It shows in
// the form: a text that was begun has tabs, where one that said {} has spaces, and a last line end if there was no file.
func begun(old, now []byte) []byte {
	open := bytes.IndexByte(old, '{')
	if open < 0 || !saysNothing(old[:open]) || !bytes.HasPrefix(old[open+1:], []byte("\n\t")) || !bytes.HasPrefix(now, old[:open]) {
		return now
	}
	switch string(now[open:]) {
	case "{}":
		return old[:open:open]
	case "{}\n":
		if open == 0 {
			return nil
		}
	}
	return now
}

// unmixed returns an error if a hook of ken's stands in one element with a hook of somebody else: it could only go with that.
func (f File) unmixed(src []byte) error {
	if len(f.elements) == 0 {
		return nil
	}
	v, err := jsonc.Decode(src)
	if err != nil {
		return &RejectedError{f.Path, err}
	}
	for _, e := range f.elements {
		list, _ := at(v, e.keys...).([]any)
		for _, one := range list {
			if e.ours != nil && !e.is(one) && runsHook(one, f.agent) {
				return &ForeignError{f.Path, "what stands beside ken's hook in " + strings.Join(e.keys, ".")}
			}
		}
	}
	return nil
}

// prove checks that two texts differ in what is ken's alone, and that it is there with its value, or not.
func (f File) prove(before, after []byte, there bool) error {
	if err := jsonc.Check(after, f.reader); err != nil {
		return err
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
		list, _ := at(now, e.keys...).([]any)
		if count(list, e.is) > 1 || (count(list, e.is) == 1) != (there && e.there) {
			return errProof
		}
		if there && e.there {
			want, err := jsonc.Decode([]byte(e.value))
			if err != nil {
				return err
			}
			if !slices.ContainsFunc(list, func(v any) bool { return reflect.DeepEqual(v, want) }) {
				return errProof
			}
		}
		was, now = emptied(was, e), emptied(now, e)
	}
	for _, e := range f.entries() {
		is, found, err := jsonc.Get(after, e.keys...)
		if err != nil {
			return err
		}
		want, err := jsonc.Decode([]byte(e.value))
		if err != nil {
			return err
		}
		if found != there || there && !reflect.DeepEqual(is, want) {
			return errProof
		}
		was, now = dropped(was, e.keys), dropped(now, e.keys)
	}
	if !reflect.DeepEqual(was, now) {
		return errProof
	}
	return nil
}

// emptied is a decoded text whose list has no such element. A list, and objects, that held nothing else are gone.
func emptied(v any, e element) any {
	list, ok := at(v, e.keys...).([]any)
	if !ok && at(v, e.keys...) != nil {
		return v
	}
	rest := slices.DeleteFunc(slices.Clone(list), e.is)
	if len(rest) == 0 {
		return dropped(v, e.keys)
	}
	within, _ := at(v, e.keys[:len(e.keys)-1]...).(map[string]any)
	within[e.keys[len(e.keys)-1]] = rest
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
	if o["name"] == "ken" || startsKen(at(v, "mcpServers", "ken"), mcpWord) || runsHook(o["hooks"], f.agent) {
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

// startsKen reports whether what starts a program starts ken, with a word.
func startsKen(server any, word string) bool {
	argv := words(at(server, "command"))
	if program, ok := at(server, "command").(string); ok {
		argv = append([]string{program}, words(at(server, "args"))...)
	}
	return len(argv) > 1 && isKen(argv[0]) && argv[1] == word
}

// isKen reports whether a path is of a program called ken.
func isKen(path string) bool {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	return strings.TrimSuffix(name, filepath.Ext(name)) == "ken"
}

// promptWord stands behind the command of a hook where the assistant does not say itself that a question is asked.
const promptWord = "prompt"

// UserWord stands behind the command of a hook that gives what holds everywhere alone.
const UserWord = "user"

// isHook reports whether a line for a shell runs ken's hook for an assistant.
func isHook(line, agent string) bool {
	for _, end := range []string{unharmed, " " + UserWord, " " + promptWord} {
		line = strings.TrimSuffix(line, end)
	}
	program, ok := strings.CutSuffix(line, " hook "+agent)
	return ok && isKen(strings.Trim(program, `'"`))
}

// runsHook reports whether hooks run ken's hook for an assistant.
func runsHook(hooks any, agent string) bool {
	switch v := hooks.(type) {
	case string:
		return isHook(v, agent)
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return runsHook(e, agent) })
	case map[string]any:
		for _, e := range v {
			if runsHook(e, agent) {
				return true
			}
		}
	}
	return false
}

// runsOnly reports whether what an event has run is ken's hook for an assistant, and nothing else.
func runsOnly(group any, agent string) bool {
	list, _ := at(group, "hooks").([]any)
	for _, e := range list {
		line, _ := at(e, "command").(string)
		if !isHook(line, agent) {
			return false
		}
	}
	return len(list) > 0
}
