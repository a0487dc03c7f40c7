package jsonl

import (
	"bytes"
	"errors"
	"fmt"
)

// Fields reads the object on a line: its fields in their order, after the whole
// line has been checked. Of a name that stands several times the last field
// counts, and twice has the name. Fields appends to buf, which may be nil; the
// result shares memory with line.
//
// The error says what is wrong with the line in words for the person whose
// file it is (Damage).
func Fields(line []byte, buf []Field) (fields []Field, twice []string, err error) {
	const few = 32 // as many names are compared one by one
	fields = buf
	index := map[string]int{}
	for f, err := range Object(line) {
		if err != nil {
			return nil, nil, Damage(line, err)
		}
		i, known := 0, false
		if len(fields) < few {
			for i < len(fields) && !bytes.Equal(fields[i].Name, f.Name) {
				i++
			}
			known = i < len(fields)
		} else {
			if len(index) == 0 {
				for k := range fields {
					index[string(fields[k].Name)] = k
				}
			}
			i, known = index[string(f.Name)]
			if !known {
				index[string(f.Name)] = len(fields)
			}
		}
		if !known {
			fields = append(fields, f)
			continue
		}
		twice = append(twice, string(f.Name))
		fields[i].Value = f.Value
	}
	return fields, twice, nil
}

// ErrPlainText says that a line is no JSON at all but text, as somebody may
// have typed it into the file.
var ErrPlainText = errors.New("not JSON: plain text")

// Damage says why a line is no record, from what its damage looks like: err is
// where Object stopped. The line is not blank.
func Damage(line []byte, err error) error {
	if i := bytes.IndexByte(line, 0); i >= 0 {
		return fmt.Errorf("NUL bytes, from byte %d on", i)
	}
	text := bytes.TrimLeft(line, " \t\r")
	for _, sign := range []struct{ prefix, means string }{
		{"[", "a JSON array: each line holds one object of its own"},
		{"]", "a JSON array: each line holds one object of its own"},
		{"}", "part of an object: a record stands on one line"},
		{`"`, "part of an object: a record stands on one line"},
		{"<<<<<<<", "the mark of a merge conflict"},
		{"|||||||", "the mark of a merge conflict"},
		{"=======", "the mark of a merge conflict"},
		{">>>>>>>", "the mark of a merge conflict"},
	} {
		if bytes.HasPrefix(text, []byte(sign.prefix)) {
			return errors.New(sign.means)
		}
	}
	if bytes.HasPrefix(text, []byte("{")) {
		return fmt.Errorf("not JSON: %w", err)
	}
	return ErrPlainText
}
