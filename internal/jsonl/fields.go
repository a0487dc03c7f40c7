package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// Fields reads the object on a line: its fields in their order, after the whole
// line has been checked. If a name stands several times, its last value
// counts, at the place of the first, and twice is that name. buf is space for
// the fields and may be nil; names and values are parts of line.
//
// The error says what is wrong with the line in words for the person whose
// file it is (Damage).
func Fields(line []byte, buf []Field) (fields []Field, twice []string, err error) {
	const few = 32 // so many names are compared one by one
	var index map[string]int
	fields = buf[:0]
	s := scanner{b: line}
	for {
		f, more, err := s.next()
		if err != nil {
			return nil, nil, Damage(line, err)
		}
		if !more {
			return fields, twice, nil
		}
		if len(fields) == few && index == nil {
			index = make(map[string]int)
			for k := range fields {
				index[string(fields[k].Name)] = k
			}
		}
		i, known := index[string(f.Name)]
		if index == nil {
			for i < len(fields) && !bytes.Equal(fields[i].Name, f.Name) {
				i++
			}
			known = i < len(fields)
		}
		if known {
			twice = append(twice, string(f.Name))
			fields[i].Value = f.Value
			continue
		}
		if index != nil {
			index[string(f.Name)] = len(fields)
		}
		fields = append(fields, f)
	}
}

// ErrPlainText says that a line is no JSON at all but text, as somebody may
// have typed it into the file.
var ErrPlainText = errors.New("not JSON: plain text")

// Damage returns why a line is no record, by the looks of its damage. err is where Object stopped.
// The line is not blank.
func Damage(line []byte, err error) error {
	if i := bytes.IndexByte(line, 0); i >= 0 {
		return fmt.Errorf("NUL bytes, from byte %d on", i)
	}
	text := strings.TrimLeft(string(line), " \t\r")
	switch {
	case strings.HasPrefix(text, "{"):
		return fmt.Errorf("not JSON: %w", err)
	case strings.HasPrefix(text, "["), strings.HasPrefix(text, "]"):
		return errors.New("a JSON array: each line holds one object of its own")
	case strings.HasPrefix(text, "}"), strings.HasPrefix(text, `"`):
		return errors.New("part of an object: a record stands on one line")
	case strings.HasPrefix(text, "<<<<<<<"), strings.HasPrefix(text, "======="),
		strings.HasPrefix(text, "|||||||"), strings.HasPrefix(text, ">>>>>>>"):
		return errors.New("the mark of a merge conflict")
	}
	return ErrPlainText
}

// LargestNumber returns the largest whole number that a damaged line seems to have as the value of
// one of those fields, or in its list; 0 if there is none. A caller that numbers lines needs it: a
// damaged line that is repaired later must not meet a line with the same number. Numbers above
// 2^53-1 are left out. They are damage, and would use up all numbers there are.
func LargestNumber(line []byte, names ...string) (most int64) {
	for _, name := range names {
		quoted := []byte(`"` + name + `"`)
		for i := bytes.Index(line, quoted); i >= 0; {
			list, more := bytes.CutPrefix(bytes.TrimLeft(line[i+len(quoted):], " \t"), []byte(":"))
			list = bytes.TrimLeft(list, " \t[")
			for more {
				end := 0
				for end < len(list) && list[end]-'0' <= 9 {
					end++
				}
				n, _ := Value(list[:end]).Int()
				most = max(most, n)
				list, more = bytes.CutPrefix(bytes.TrimLeft(list[end:], " \t"), []byte(","))
				list = bytes.TrimLeft(list, " \t")
			}
			next := bytes.Index(line[i+1:], quoted)
			if next < 0 {
				break
			}
			i += 1 + next
		}
	}
	return most
}
