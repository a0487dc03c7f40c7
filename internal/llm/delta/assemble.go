package delta

import (
	"encoding/json"
	"fmt"
	"strings"

	"ken/internal/llm/wire"
)

// maxWarned is how many unreadable events get a warning with their text.
const maxWarned = 3

// FinishLength is the finish reason of an answer that reached a limit: the server's,
// or that of Limit.
const FinishLength = "length"

// A Delta is what one event adds to what is shown.
type Delta struct {
	Text      string
	Reasoning string // comes before Text
	// Rethought: all text of the deltas before this one, or since the last
	// thought ended, was reasoning. It happens when a thought's closing tag
	// comes without an opening one.
	Rethought bool
	// Call is how a call that is being written begins: its name, and the first 80 bytes of its arguments
	// as far as they have come. It is given when it changes.
	Call string
}

// A Whole is what the events came to.
type Whole struct {
	Content   string
	Reasoning string // for reading; what must be sent back is in Raw
	ToolCalls []ToolCall

	// Raw holds every other field of the message, by name. Strings that came in
	// pieces are joined; arrays are joined, and so are pieces of one element in
	// them (same type, same index); of objects, numbers and names the last one
	// stays. Nulls, and empty strings other than reasoning, are left out.
	Raw map[string]json.RawMessage

	Finish   string // as sent; "" if none was
	Usage    *Usage // nil if the server reported none
	Model    string // as the server named it
	Warnings []string
	Events   int
}

// An Assembler joins the events of one answer.
type Assembler struct {
	content   splitter
	reasoning []byte // from fields of its own
	calls     calls
	raw       bag
	usage     *Usage
	timings   *Usage // llama.cpp's count, for when there is no other
	model     string
	finish    string
	warnings  []string

	choice  int // index of the choice that is read: the first that came
	chosen  bool
	deltas  bool // some choice had a delta: a message is the same once more
	got     bool // a token came: content, reasoning or a piece of a call
	done    bool // the end mark came
	events  int
	unread  int
	current Delta  // of the event that is being taken
	calling string // how the call that is being written begins, as it was given

	most, held int             // bytes that may be held, and about those that are
	full       bool            // there was more than that
	left       map[string]bool // fields that were too long
}

// New returns an Assembler of an answer that begins, of at most MostHeld bytes.
func New() *Assembler { return &Assembler{content: newSplitter(), most: MostHeld} }

// Began reports whether a token came: content, reasoning or a piece of a call.
func (a *Assembler) Began() bool { return a.got }

// Finish returns the finish reason, "" if none came yet.
func (a *Assembler) Finish() string { return a.ended() }

func (a *Assembler) ended() string {
	if a.full {
		return FinishLength
	}
	return a.finish
}

// Full reports whether the answer was cut off at the limit. What came until then is
// whole, with FinishLength; nothing more is taken.
func (a *Assembler) Full() bool { return a.full }

// Held is about how many bytes of an answer are held. It grows with all that is one.
func (a *Assembler) Held() int { return a.held }

// Done reports whether the end mark came.
func (a *Assembler) Done() bool { return a.done }

// Empty reports whether there is neither content nor a tool call.
func (a *Assembler) Empty() bool { return len(a.content.text) == 0 && len(a.calls.list) == 0 }

// CallCut reports whether some call broke off, in its arguments or before its
// name.
func (a *Assembler) CallCut() bool { return a.calls.cut() }

// Take takes an event and returns what it adds to what is shown, and what the
// server says went wrong, if it does.
func (a *Assembler) Take(ev wire.Event) (Delta, *wire.Fault) {
	a.current = Delta{}
	if a.full {
		return Delta{}, nil
	}
	a.events++
	switch {
	case ev.Torn: // the end of the stream says enough
	case ev.Bad:
		a.unread++
		if a.unread <= maxWarned {
			a.warnings = append(a.warnings, fmt.Sprintf("event %d is no JSON and was left out: %s", a.events, wire.Line(string(ev.Data), 80)))
		}
	case ev.Failed:
		f := wire.Fault{Message: string(ev.Data)} // it may be no JSON
		if json.Valid(ev.Data) {
			if told, ok := wire.FaultIn(ev.Data, true); ok {
				f = told
			}
		}
		return Delta{}, &f
	case string(ev.Data) == wire.Done:
		a.done = true
	default:
		f := a.chunk(ev.Data)
		return a.current, f
	}
	return Delta{}, nil
}

// chunk takes one chat.completion.chunk, or a whole chat.completion.
func (a *Assembler) chunk(data []byte) *wire.Fault {
	var choices []byte
	suspect := !wire.IsObject(data)
	for name, v := range wire.Members(data) {
		switch string(name) {
		case "choices":
			choices = v
		case "error":
			suspect = suspect || !wire.Nothing(v)
		case "object":
			suspect = suspect || string(v) == `"error"`
		case "model":
			if a.model == "" {
				a.model, _ = wire.Text(v)
			}
		case "usage":
			a.addUsage(v)
		case "timings":
			a.timings = timings(v)
		case "x_groq":
			for name, v := range wire.Members(v) {
				if string(name) == "usage" {
					a.addUsage(v)
				}
			}
		}
	}
	var fault *wire.Fault
	for v := range wire.Elements(choices) {
		if f := a.takeChoice(v); f != nil {
			fault = f
		}
	}
	if suspect {
		if f, ok := wire.FaultIn(data, false); ok {
			return &f
		}
	}
	return fault
}

func (a *Assembler) takeChoice(raw []byte) *wire.Fault {
	var delta, message, legacy, usage, finish []byte
	var fault *wire.Fault
	index := 0
	for name, v := range wire.Members(raw) {
		switch string(name) {
		case "index":
			if n, ok := wire.Number(v); ok {
				index = int(n)
			}
		case "delta":
			delta = v
		case "message":
			message = v
		case "text":
			legacy = v
		case "usage":
			usage = v
		case "finish_reason":
			finish = v
		case "error":
			if !wire.Nothing(v) {
				f := wire.FaultOf(v)
				fault = &f
			}
		}
	}
	if !a.chosen {
		a.choice, a.chosen = index, true
	}
	if index != a.choice {
		return nil
	}
	a.addUsage(usage)
	switch {
	case wire.IsObject(delta):
		a.deltas = true
		a.message(delta)
	case wire.IsObject(message) && !a.deltas:
		a.message(message)
	case wire.IsString(legacy):
		a.addContent(legacy)
	}
	if s, _ := wire.Text(finish); s != "" {
		a.finish = s
	}
	if a.finish == "error" && fault == nil {
		fault = &wire.Fault{Message: "the server ended the answer with an error"}
	}
	return fault
}

// message takes a delta, or a whole message.
func (a *Assembler) message(raw []byte) {
	var reasoning, details string
	var content []byte
	for name, v := range wire.Members(raw) {
		switch string(name) {
		case "role":
		case "content":
			content = v
		case "tool_calls":
			for call := range wire.Elements(v) {
				a.addCall(call)
			}
		case "function_call": // the form before tool_calls
			if wire.IsObject(v) {
				a.addCall(append(append([]byte(`{"function":`), v...), '}'))
			}
		case "reasoning_content", "reasoning", "thinking_content", "thinking", "thought":
			if s, ok := wire.Text(v); ok && reasoning == "" { // servers that say it under two names say the same
				reasoning = s
			}
			a.addRaw(string(name), v)
		case "reasoning_details":
			details = parts(v)
			a.addRaw(string(name), v)
		default:
			a.addRaw(string(name), v)
		}
	}
	if reasoning == "" {
		reasoning = details
	}
	a.addReasoning(reasoning)
	a.addContent(content)
}

func (a *Assembler) addReasoning(s string) {
	if s = a.clip(s); s == "" {
		return
	}
	a.content.apart = true
	a.got = true
	a.reasoning = append(a.reasoning, s...)
	a.current.Reasoning += s
}

// addContent takes content: a string, or a list of parts.
func (a *Assembler) addContent(raw []byte) {
	if s, ok := wire.Text(raw); ok {
		a.addText(s)
		return
	}
	for part := range wire.Elements(raw) {
		switch kind, s := partOf(part); kind {
		case "thinking", "reasoning":
			a.addReasoning(s)
		case "text", "output_text", "":
			a.addText(s)
		}
	}
}

func (a *Assembler) addText(s string) {
	if s = a.clip(s); s == "" {
		return
	}
	a.got = true
	text, thought, rethought := a.content.add(s)
	a.current.Text += text
	a.current.Reasoning += thought
	a.current.Rethought = a.current.Rethought || rethought
}

// partOf returns the type of a part of content or of a reasoning detail, and
// its text.
func partOf(raw []byte) (kind, s string) {
	if s, ok := wire.Text(raw); ok {
		return "", s
	}
	for name, v := range wire.Members(raw) {
		switch string(name) {
		case "type":
			kind, _ = wire.Text(v)
		case "text", "thinking", "summary", "reasoning":
			if t, ok := wire.Text(v); ok {
				s += t
			} else {
				s += parts(v)
			}
		}
	}
	return kind, s
}

// parts joins the texts of a list of parts.
func parts(raw []byte) string {
	var b strings.Builder
	for v := range wire.Elements(raw) {
		_, s := partOf(v)
		b.WriteString(s)
	}
	return b.String()
}

// End takes the end of the stream and returns what is left to show. After an
// error it is not called: an open thought then stays one.
func (a *Assembler) End() Delta { return Delta{Text: a.content.finish()} }

// Whole returns what came. ids are those that calls of the conversation already
// have; the ones that are made up are added.
func (a *Assembler) Whole(ids map[string]bool) Whole {
	a.content.flush()
	out := Whole{
		Content:   string(a.content.text),
		Reasoning: string(a.reasoning) + string(a.content.thought),
		ToolCalls: a.calls.finish(ids),
		Raw:       a.raw.fieldsLeft(),
		Finish:    a.ended(),
		Usage:     a.usage,
		Model:     a.model,
		Warnings:  a.warnings,
		Events:    a.events,
	}
	if out.Usage == nil {
		out.Usage = a.timings
	}
	if more := a.unread - maxWarned; more > 0 {
		out.Warnings = append(out.Warnings, fmt.Sprintf("%d more events were no JSON and were left out", more))
	}
	return out
}
