package foreign

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"ken/internal/jsonl"
)

// An Object is a JSON object of another program, whose fields nobody promised.
type object []jsonl.Field

// Parse reads an object; that of a value is empty if it is none.
func Parse(b []byte) (object, error) {
	if t := bytes.TrimLeft(b, " \t\r\n"); len(t) > 0 && t[0] != '{' {
		if !json.Valid(t) {
			return nil, ErrStray
		}
		return nil, fmt.Errorf("want an object, got %s", jsonl.Value(bytes.TrimSpace(t)).Show())
	}
	fields, _, err := jsonl.Fields(b, nil)
	return fields, err
}

// In returns the object that a field holds, empty if there is none.
func (o object) In(name string) object {
	if v := o.Get(name); v.Type() == "object" {
		inner, err := Parse(v)
		if err == nil {
			return inner
		}
	}
	return nil
}

// Get returns the value of a field, nil if there is none.
func (o object) Get(name string) jsonl.Value {
	for i := range o {
		if string(o[i].Name) == name {
			return o[i].Value
		}
	}
	return nil
}

// Has reports whether there is a field of that name.
func (o object) Has(name string) bool { return o.Get(name) != nil }

// Text returns the first of these fields that holds a string that is not blank.
func (o object) Text(names ...string) string {
	for _, name := range names {
		if s, ok := o.Get(name).Text(); ok && strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// Yes reports whether a field is true.
func (o object) Yes(name string) bool { b, _ := o.Get(name).Bool(); return b }

// Time returns the first of these fields that holds a time; numbers are seconds since
// 1970, or milliseconds where they would be of another age.
func (o object) Time(names ...string) time.Time {
	for _, name := range names {
		v := o.Get(name)
		if v.Null() {
			continue
		}
		const year5138 = 1e11
		if f, ok := v.Float(); ok && f > year5138 {
			return time.UnixMilli(int64(f)).UTC()
		}
		if t, ok := readTime(v); ok {
			return t.UTC()
		}
	}
	return time.Time{}
}

// List returns a list of strings, what is none of them left out. One string is a list
// too, cut at commas.
func (o object) List(name string) []string {
	v := o.Get(name)
	var out []string
	if s, ok := v.Text(); ok {
		for part := range strings.SplitSeq(s, ",") {
			out = append(out, strings.TrimSpace(part))
		}
	}
	for e := range v.Elements() {
		if s, ok := e.Text(); ok {
			out = append(out, s)
		}
	}
	return out
}

// Words returns a value as a person would read it: a string as it is, all else as JSON
// on one line.
func Words(v jsonl.Value) string {
	if s, ok := v.Text(); ok {
		return s
	}
	var b bytes.Buffer
	if v.Null() || json.Compact(&b, v) != nil {
		return ""
	}
	return b.String()
}

// Prose is the text of a message whose content is a string, or a list of blocks of
// which those of text count, or of strings.
func prose(v jsonl.Value, types ...string) string {
	if s, ok := v.Text(); ok {
		return s
	}
	var b strings.Builder
	for e := range v.Elements() {
		s, ok := e.Text()
		if e.Type() == "object" {
			block, err := Parse(e)
			kind := block.Text("type", "content_type")
			for _, t := range types {
				if ok = err == nil && kind == t; ok {
					break
				}
			}
			s = block.Text("text")
		}
		if ok && strings.TrimSpace(s) != "" {
			if b.Len() > 0 {
				b.WriteString("\n\n")
			}
			b.WriteString(s)
		}
	}
	return b.String()
}

// ReadTime reads a time as ken writes it, or one without seconds or zone, as
// transcripts often have it, which is taken as UTC.
func readTime(v jsonl.Value) (time.Time, bool) {
	t, ok := v.Time()
	if text, is := v.Text(); !ok && is {
		for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
			if t, err := time.Parse(layout, text); err == nil {
				return t.UTC(), true
			}
		}
	}
	return t, ok
}
