package filter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"ken/internal/cli/app"
	"ken/internal/jsonl"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// maxLine is the longest line of --jsonl that is read, in bytes: a megabyte of
// text in which every byte is escaped, and some more.
const maxLine = 8 << 20

// A request is a line of standard input.
type request struct {
	ID   json.RawMessage `json:"id"`
	Text *string         `json:"text"`
}

// A reply is the answer to a request, with its id as it was given.
type reply struct {
	ID    json.RawMessage `json:"id"` // null if the line has none that can be read
	Text  *string         `json:"text,omitempty"`
	Hits  *[]hit          `json:"hits,omitempty"`
	Error string          `json:"error,omitempty"`
}

// A hit has of a secret what may be told of it.
type hit struct {
	Kind string `json:"kind"`
}

// answerLines answers each line of standard input by answer.
func answerLines(a *app.App, answer func(text string) reply) error {
	if a.Shell != nil {
		return inShell()
	}
	bad := 0
	for line, err := range jsonl.Lines(a.Env.Stdin, maxLine) {
		if err != nil {
			return readFault(err)
		}
		if line.Bytes != nil && len(bytes.TrimSpace(line.Bytes)) == 0 {
			continue
		}
		var r reply
		q, err := readRequest(line.Bytes)
		if err != nil {
			r.Error = fmt.Sprintf("line %d: %v", line.Number, err)
			bad++
		} else {
			r = answer(*q.Text)
		}
		if r.ID = q.ID; len(q.ID) == 0 {
			r.ID = json.RawMessage("null")
		}
		if err := write(a, r); err != nil {
			return err
		}
	}
	if bad > 0 {
		return fmt.Errorf("%s not answered", view.Count(bad, "line"))
	}
	return nil
}

// readRequest reads one line; nil is one that is too long. Its errors do not
// quote the line, which may hold a secret.
func readRequest(line []byte) (request, error) {
	var q request
	if line == nil {
		return q, fmt.Errorf("longer than %d bytes", maxLine)
	}
	err := json.Unmarshal(line, &q)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field == "":
		return request{}, errors.New("no JSON object")
	case errors.As(err, &wrong):
		return request{ID: q.ID}, fmt.Errorf("%s is no string", wrong.Field)
	case err != nil:
		return request{}, errors.New("no JSON")
	case q.Text == nil:
		return q, errors.New("no text")
	case len(q.ID) == 0:
		return q, errors.New("no id")
	}
	return q, nil
}

// write prints r on one line, in one write, so that nobody waits for the rest.
func write(a *app.App, r reply) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // a text stays readable, and is no part of a page
	if err := enc.Encode(r); err != nil {
		return fmt.Errorf("print answer: %w", err)
	}
	_, err := a.Env.Stdout.Write(termsafe.JSONSafe(b.Bytes()))
	return err
}

func readFault(err error) error { return fmt.Errorf("read standard input: %w", err) }
