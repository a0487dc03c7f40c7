package connect

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"ken/internal/config/edit"
)

// setTable gives ken's table in a text of TOML its keys. Others that it has stay: they are the person's, who says
// there what it may do.
func (f File) setTable(src []byte) (out []byte, err error) {
	out = src
	for _, m := range f.table {
		key := append(slices.Clone(f.Keys), m.key)
		if is, _ := edit.Decode(out); reflect.DeepEqual(at(is, key...), listed(m.value)) {
			continue // in whatever form
		}
		if out, err = edit.Set(out, key, edit.Literal(m.value)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// listed is a value as it is read again.
func listed(v any) any {
	words, ok := v.([]string)
	if !ok {
		return v
	}
	list := make([]any, len(words))
	for i, w := range words {
		list[i] = w
	}
	return list
}

// tabled is the text of a shared file of TOML after an edit that touches ken's table alone.
func (f File) tabled(old []byte, change func() ([]byte, error), there bool) ([]byte, error) {
	before, err := edit.Decode(old)
	if err != nil {
		return nil, &RejectedError{f.Path, err}
	}
	if is := at(before, f.Keys...); is != nil && !startsKen(is, mcpWord) {
		return nil, &ForeignError{f.Path, strings.Join(f.Keys, ".")}
	}
	now, err := change()
	if err != nil {
		return nil, &RejectedError{f.Path, err}
	}
	after, err := edit.Decode(now)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	is := at(after, f.Keys...)
	proved := (is != nil) == there
	for _, m := range f.table {
		proved = proved && (!there || reflect.DeepEqual(at(is, m.key), listed(m.value)))
	}
	if !proved || !reflect.DeepEqual(dropped(before, f.Keys), dropped(after, f.Keys)) {
		return nil, fmt.Errorf("%s: %w", f.Path, errProof)
	}
	switch {
	case there && old != nil && len(old) == 0: // so that it is known again which of the two it was
		now = bytes.TrimSuffix(now, []byte("\n"))
	case there || len(now) > 0:
	case bytes.HasSuffix(old, []byte("\n")): // nothing else is in it
		return nil, nil
	default:
		now = []byte{}
	}
	return now, nil
}
