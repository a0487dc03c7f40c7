package pipe

import (
	"encoding/json"
	"errors"
	"fmt"

	"ken/internal/cli/term"
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
func answerLines(a *term.Run, answer func(text string) reply) error {
	if a.Shell != nil {
		return inShell()
	}
	return term.AnswerLines(a, "line", maxLine, func(line int, q request, bad error) (any, bool, error) {
		var r reply
		if bad = missing(bad, "text", q.Text, q.ID); bad != nil {
			r.Error = fmt.Sprintf("line %d: %v", line, bad)
		} else {
			r = answer(*q.Text)
		}
		r.ID = idOf(q.ID)
		return r, bad == nil, nil
	})
}

// missing is bad, or what a request lacks.
func missing(bad error, name string, text *string, id json.RawMessage) error {
	switch {
	case bad != nil:
		return bad
	case text == nil:
		return errors.New("no " + name)
	case len(id) == 0:
		return errors.New("no id")
	}
	return nil
}

// idOf is the id of a request as it was given, or null.
func idOf(id json.RawMessage) json.RawMessage {
	if len(id) == 0 {
		return json.RawMessage("null")
	}
	return id
}

func readFault(err error) error { return fmt.Errorf("read standard input: %w", err) }
