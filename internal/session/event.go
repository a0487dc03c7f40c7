package session

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"ken/internal/jsonl"
)

// Gone is what stands in the place of a text that was erased.
const Gone = "[erased]"

// Names of events. Events that are not listed here are kept.
const (
	EventReset   = "reset"   // nothing before it is live
	EventCompact = "compact" // summary, words, keep_from, from, outside: what stands for what was before
	EventExec    = "exec"    // cmd, lane, exit, bytes: a command that ran
	EventWhy     = "why"     // n, chosen, passed, budget: what memory a turn was given, by reference
	EventModel   = "model"   // another preset was chosen
	// EventUnanswered has n: the turn of a question that got no answer. It and what was
	// written since are not live. With why, a Left, the turns from n to to left the context for
	// that; by is the question that came in their place, absent: the next one.
	EventUnanswered = "unanswered"
	// EventLeft has n and to: the turns that are back in the context, by being a question that was
	// asked in their place and got no answer. With why it is as EventUnanswered with it.
	EventLeft = "left"
)

// eventFeedback has kind, of, ref, n: what became of something that was offered, see package feedback.
const eventFeedback = "feedback"

// eventMemory has on: 1 or 0: from here on the conversation has memory, or none; see Transcript.Remembers.
const eventMemory = "memory"

// worth reports whether an event is worth a file, as a turn is.
func (e Event) worth() bool {
	return e.Name == EventExec || e.Name == "act" || e.Name == "auto" || // those of package acts
		e.Name == EventWhy && e.Text("agent") != "" // what another assistant was given
}

// An Event is a line that is no turn: something that happened beside the
// conversation. Events have no number.
type Event struct {
	// Time is in UTC, to the second; zero if the line has none. AppendEvent
	// sets it when it is zero.
	Time time.Time
	Name string
	// Fields are the other fields, in the order of the line.
	Fields []Field
}

// Compact returns the event of a compaction: from here on summary stands for
// all turns before turn number keepFrom. With keepFrom 0 it stands for all. words are
// what the person said in those, which the next conversation may begin with.
func Compact(summary, words string, keepFrom int) Event {
	e := Event{Name: EventCompact, Fields: []Field{StringField("summary", summary)}}
	if words != "" {
		e.Fields = append(e.Fields, StringField("words", words))
	}
	if keepFrom > 0 {
		e.Fields = append(e.Fields, IntField("keep_from", keepFrom))
	}
	return e
}

// AppendMemory notes whether the conversation has memory from here on; see Transcript.Remembers. Errors are those of AppendEvent.
func (w *Writer) AppendMemory(on bool) error {
	n := 0
	if on {
		n = 1
	}
	return w.AppendEvent(Event{Name: eventMemory, Fields: []Field{IntField("on", n)}})
}

// StringField returns the field name with the string s as value.
func StringField(name, s string) Field {
	return Field{Name: name, Value: jsonl.AppendString(nil, s)}
}

// IntField returns the field name with the number n as value.
func IntField(name string, n int) Field {
	return Field{Name: name, Value: strconv.AppendInt(nil, int64(n), 10)}
}

// Value returns the value of the field name, the last one if the line has
// several; nil if it has none.
func (e Event) Value(name string) json.RawMessage {
	for _, f := range slices.Backward(e.Fields) {
		if f.Name == name {
			return f.Value
		}
	}
	return nil
}

// Text returns the string in field name; "" if there is none.
func (e Event) Text(name string) string {
	s, _ := jsonl.Value(e.Value(name)).Text()
	return s
}

// Int returns the whole number in field name, brought between 0 and MaxTurn;
// 0 if there is none.
func (e Event) Int(name string) int {
	n, _ := jsonl.Value(e.Value(name)).Int()
	return int(min(max(n, 0), MaxTurn))
}
