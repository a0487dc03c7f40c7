package pipe

import (
	"encoding/json"
	"errors"
	"fmt"

	"ken/internal/cli/term"
	"ken/internal/view/port"
)

// maxLine is the longest line of --jsonl that is read, in bytes: a megabyte of
// text in which every byte is escaped, and some more.
const maxLine = 8 << 20

// answerLines answers each line of standard input by answer.
func answerLines(a *term.Run, answer func(text string) port.TextReply) error {
	if a.Shell != nil {
		return inShell()
	}
	return term.AnswerLines(a, "line", maxLine, func(line int, q port.TextLine, bad error) (any, bool, error) {
		var r port.TextReply
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
