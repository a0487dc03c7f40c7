package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"ken/internal/index"
	"ken/internal/regular"
	"ken/internal/session"
)

// RedactTurns takes out of t what may not leave the file: the turns that are
// hidden, of which n are exported, commands that may have held what is forgotten,
// and secrets.
func RedactTurns(t *session.Transcript, hidden func(session.Turn) bool, mask func(string) string) (n int) {
	for i, e := range t.Entries {
		if e.Turn == nil {
			event := *e.Event
			event.Fields = slices.Clone(event.Fields)
			for j, f := range event.Fields {
				event.Fields[j].Value = maskOrNull(f.Value, mask)
			}
			t.Entries[i].Event = &event
			continue
		}
		turn := *e.Turn
		if hidden(turn) {
			turn.Content, turn.ToolCalls, turn.Attached, turn.Raw, turn.Extra = Forgotten, nil, nil, nil, nil
			n++
		} else {
			turn.Content = mask(turn.Content)
			turn.ToolCalls = maskOrNull(turn.ToolCalls, mask)
			turn.Attached = maskOrNull(turn.Attached, mask)
			for name, v := range turn.Raw {
				turn.Raw[name] = maskOrNull(v, mask)
			}
		}
		t.Entries[i].Turn = &turn
	}
	t.Entries = slices.DeleteFunc(t.Entries, func(e session.Entry) bool {
		return e.Event != nil && e.Event.Name == session.EventExec && index.RunsKen(e.Event.Text("cmd"))
	})
	if n > 0 { // what sums the conversation up may tell it again
		t.Entries = slices.DeleteFunc(t.Entries, func(e session.Entry) bool {
			return e.Event != nil && e.Event.Name == session.EventCompact
		})
	}
	return n
}

// maskOrNull masks the secrets in a value; one that would be no value any more is
// null, and nothing stays nothing.
func maskOrNull(v json.RawMessage, mask func(string) string) json.RawMessage {
	if len(v) == 0 {
		return nil
	}
	if masked := maskJSON(v, mask); masked != nil {
		return masked
	}
	return json.RawMessage("null")
}

// SessionLines returns the lines of a session file with what t holds. Events, which
// this program need not know, are as they stand in the file of t.
func SessionLines(t *session.Transcript, mask func(string) string) ([]byte, error) {
	file, err := regular.Open(t.Path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	var b []byte
	if t.Headed {
		if b, err = t.Header.Line(); err != nil {
			return nil, err
		}
	}
	for _, e := range t.Entries {
		if e.Turn != nil {
			line, err := e.Turn.Line()
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", e.Line, err)
			}
			b = append(b, line...)
			continue
		}
		line := make([]byte, e.Len)
		if _, err := file.ReadAt(line, e.Offset); errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("line %d: the file was changed meanwhile", e.Line)
		} else if err != nil {
			return nil, err
		}
		b = append(append(b, maskOrNull(line, mask)...), '\n')
	}
	return b, nil
}
