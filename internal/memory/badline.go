package memory

import (
	"bytes"
	"errors"
	"fmt"

	"ken/internal/jsonl"
)

// ErrPlainText is the cause of a line that is no JSON at all but text, as
// somebody may type it into the file.
var ErrPlainText = errors.New("not JSON: plain text")

// whyNot says why line cannot be read, from what its damage looks like. err is
// what the JSON scanner stopped at.
func whyNot(line []byte, err error) error {
	if i := bytes.IndexByte(line, 0); i >= 0 {
		return fmt.Errorf("NUL bytes, from byte %d on", i)
	}
	text := bytes.TrimLeft(line, " \t\r")
	switch text[0] {
	case '{':
		return fmt.Errorf("not JSON: %w", err)
	case '[', ']':
		return errors.New("a JSON array: each line holds one object of its own")
	case '}', '"':
		return errors.New("part of an object: a record stands on one line")
	}
	for _, mark := range []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		if bytes.HasPrefix(text, []byte(mark)) {
			return errors.New("the mark of a merge conflict")
		}
	}
	return ErrPlainText
}

// largestNamed returns the largest number that a line which cannot be read
// seems to name as id, target or targets, so that a line that is repaired
// later meets no second line of its number. Numbers above MaxID are damage:
// they must not use up all ids.
func largestNamed(line []byte) (most int64) {
	for _, name := range []string{`"id"`, `"target"`, `"targets"`} {
		for rest := line; ; {
			_, after, found := bytes.Cut(rest, []byte(name))
			if !found {
				break
			}
			rest = after
			most = max(most, largestValue(after))
		}
	}
	return most
}

// largestValue reads ": 3" or ": [3, 4" and returns the largest number.
func largestValue(text []byte) (most int64) {
	text = bytes.TrimLeft(text, " \t")
	if len(text) == 0 || text[0] != ':' {
		return 0
	}
	text = bytes.TrimLeft(text[1:], " \t[")
	for len(text) > 0 {
		n := 0
		for n < len(text) && text[n]-'0' <= 9 {
			n++
		}
		if id, ok := jsonl.Value(text[:n]).Int(); ok {
			most = max(most, id)
		}
		text = bytes.TrimLeft(text[n:], " \t")
		if len(text) == 0 || text[0] != ',' {
			break
		}
		text = bytes.TrimLeft(text[1:], " \t")
		if len(text) == 0 || text[0]-'0' > 9 {
			break
		}
	}
	return most
}
