package jsonc

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// A splice puts a text in the place of the bytes of another from at to end.
type splice struct {
	at, end int
	put     string
}

// spliced is the text after splices, which are in order and apart.
func (t *text) spliced(splices ...splice) []byte {
	out, at := []byte(t.mark), 0
	for _, s := range splices {
		out = append(append(out, t.src[at:s.at]...), s.put...)
		at = s.end
	}
	return append(out, t.src[at:]...)
}

// Set gives the member at keys the value, a text of JSON; objects on the way are made. A value that is there
// already is left in the form that it has. What is written is JSON without comments, trailing commas or
// anything else that strict readers refuse. Errors: *Fault, ErrShape.
func Set(src []byte, value string, keys ...string) ([]byte, error) {
	t, err := read(src)
	if err != nil {
		return nil, err
	}
	v, err := hujson.Parse([]byte(value))
	if err != nil {
		return nil, err
	}
	at := t.root
	for i, key := range keys {
		b, ok := t.box(at)
		if !ok {
			return nil, fmt.Errorf("%s: %w", strings.Join(keys[:i], "."), ErrShape)
		}
		j := b.last(key)
		if j < 0 {
			return t.insert(b, i == 0, keys[i:], addition{v: v}), nil
		}
		if at = b.items[j].value; i < len(keys)-1 {
			continue
		}
		was, err := decode(at)
		if err != nil {
			return nil, err
		}
		if is, err := decode(v); err != nil || reflect.DeepEqual(was, is) {
			return slices.Clone(src), err
		}
		indent, first := t.ownLine(b, b.items[j])
		return t.spliced(splice{at.StartOffset, at.EndOffset, t.written(v, indent, first)}), nil
	}
	return nil, ErrShape
}

// An addition is what is put in at keys.
type addition struct {
	v    hujson.Value
	list bool // it is an element of a list there; with no keys left, of the box
}

// insert adds to b a member for keys[0], with objects for the other keys in it.
func (t *text) insert(b box, root bool, keys []string, put addition) []byte {
	if len(b.items) == 0 {
		return t.fill(b, root, keys, put)
	}
	last := b.items[len(b.items)-1]
	in, lines := t.ownLine(b, last)
	entry := t.member(keys, put, in, lines)
	begin, comma := " ", ""
	from := last.end
	if last.comma >= 0 {
		from, comma = last.comma+1, ","
	}
	tail := 0
	if lines { // behind the comment that belongs to the line
		begin, tail = t.nl+in, lineEnd(t.src[from:b.end])
	}
	if comma == "" {
		return t.spliced(splice{from, from, ","}, splice{from + tail, from + tail, begin + entry})
	}
	return t.spliced(splice{from + tail, from + tail, begin + entry + comma})
}

// fill adds the first member to b.
func (t *text) fill(b box, root bool, keys []string, add addition) []byte {
	within := t.src[b.open+1 : b.end]
	at, put := b.open+1, ""
	switch said := bytes.TrimRight(within, spaces); {
	case root && len(within) == 0:
		put = t.nl + t.unit + t.member(keys, add, t.unit, true) + t.nl
	case len(said) == 0: // see the doc of the package
		put = t.member(keys, add, "", false)
	case bytes.ContainsRune(within[len(said):], '\n'):
		at += len(said)
		in := t.lineIndent(b.end) + t.unit
		put = t.nl + in + t.member(keys, add, in, true)
	default:
		at += len(said)
		put = " " + t.member(keys, add, "", false)
	}
	return t.spliced(splice{at, at, put})
}

// lineEnd is where the line ends that extra, comments and space, begins in the middle of; 0 if it has no end there.
func lineEnd(extra []byte) int {
	for i := 0; i < len(extra); i++ {
		switch {
		case extra[i] == '\n':
			if i > 0 && extra[i-1] == '\r' {
				i--
			}
			return i
		case bytes.HasPrefix(extra[i:], []byte("//")):
			i += max(bytes.IndexByte(extra[i:], '\n'), 1) - 1
		case bytes.HasPrefix(extra[i:], []byte("/*")):
			i += max(bytes.Index(extra[i+2:], []byte("*/")), 0) + 3
		}
	}
	return 0
}

// member is a member for keys[0], with objects for the others in it, and a list where the addition is of one.
func (t *text) member(keys []string, put addition, indent string, lines bool) string {
	if len(keys) == 0 {
		return t.written(put.v, indent, lines)
	}
	name, open, end := string(hujson.String(keys[0]))+": ", "{", "}"
	switch {
	case len(keys) == 1 && !put.list:
		return name + t.written(put.v, indent, lines)
	case len(keys) == 1:
		open, end = "[", "]"
	}
	if lines {
		in := indent + t.unit
		return name + open + t.nl + in + t.member(keys[1:], put, in, true) + t.nl + indent + end
	}
	return name + open + " " + t.member(keys[1:], put, "", false) + " " + end
}

// written is a value in lines, or on one.
func (t *text) written(v hujson.Value, indent string, lines bool) string {
	var parts []string
	open, end := "[", "]"
	in := indent + t.unit
	switch is := v.Value.(type) {
	case *hujson.Object:
		open, end = "{", "}"
		for _, m := range is.Members {
			parts = append(parts, t.written(m.Name, "", false)+": "+t.written(m.Value, in, lines))
		}
	case *hujson.Array:
		lines = lines && slices.ContainsFunc(is.Elements, func(v hujson.Value) bool { _, plain := v.Value.(hujson.Literal); return !plain })
		for _, e := range is.Elements {
			parts = append(parts, t.written(e, in, lines))
		}
	case hujson.Literal:
		return string(is)
	}
	if !lines || len(parts) == 0 {
		return open + strings.Join(parts, ", ") + end
	}
	return open + t.nl + in + strings.Join(parts, ","+t.nl+in) + t.nl + indent + end
}
