package jsonc

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Add has the list at keys hold an element, a text of JSON, at its end; the list and objects on the way are made. A list
// that has an equal element is left as it is. Errors: *Fault, ErrShape, ErrList.
func Add(src []byte, element string, keys ...string) ([]byte, error) {
	t, err := read(src)
	if err != nil {
		return nil, err
	}
	v, err := hujson.Parse([]byte(element))
	if err != nil {
		return nil, err
	}
	if len(keys) == 0 {
		return nil, ErrShape
	}
	at, put := t.root, addition{v: v, list: true}
	for i, key := range keys {
		b, ok := t.box(at)
		if !ok {
			return nil, fmt.Errorf("%s: %w", strings.Join(keys[:i], "."), ErrShape)
		}
		j := b.last(key)
		if j < 0 {
			return t.insert(b, i == 0, keys[i:], put), nil
		}
		at = b.items[j].value
	}
	list, ok := t.list(at)
	if !ok {
		return nil, fmt.Errorf("%s: %w", strings.Join(keys, "."), ErrList)
	}
	i, err := list.holds(v)
	if err != nil || i >= 0 {
		return slices.Clone(src), err
	}
	return t.insert(list, false, nil, put), nil
}

// Drop takes the elements that are equal to one out of the list at keys, and the list and the objects that Add made for
// it and that hold nothing else. was says whether one was there. Errors: *Fault.
func Drop(src []byte, element string, keys ...string) (now []byte, was bool, err error) {
	v, err := hujson.Parse([]byte(element))
	if err != nil {
		return nil, false, err
	}
	for now = slices.Clone(src); ; was = true {
		t, err := read(now)
		if err != nil {
			return nil, false, err
		}
		next, there, err := t.dropped(v, keys)
		if err != nil {
			return nil, false, err
		}
		if !there {
			return now, was, nil
		}
		now = next
	}
}

// dropped is the text without the last element equal to v of the list at keys.
func (t *text) dropped(v hujson.Value, keys []string) (now []byte, there bool, err error) {
	at := t.root
	var boxes []box
	var places []int
	for _, key := range keys {
		b, ok := t.box(at)
		i := b.last(key)
		if !ok || i < 0 {
			return nil, false, nil
		}
		boxes, places = append(boxes, b), append(places, i)
		at = b.items[i].value
	}
	list, ok := t.list(at)
	if !ok || len(keys) == 0 {
		return nil, false, nil
	}
	i, err := list.holds(v)
	if err != nil || i < 0 {
		return nil, false, err
	}
	return t.taken(append(boxes, list), append(places, i), keys), true, nil
}

// holds is the place of the last entry that says what v says; -1 if there is none.
func (b box) holds(v hujson.Value) (int, error) {
	want, err := decode(v)
	if err != nil {
		return -1, err
	}
	for i := len(b.items) - 1; i >= 0; i-- {
		is, err := decode(b.items[i].value)
		if err != nil {
			return -1, err
		}
		if reflect.DeepEqual(is, want) {
			return i, nil
		}
	}
	return -1, nil
}
