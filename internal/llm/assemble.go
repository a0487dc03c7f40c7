package llm

import (
	"fmt"
	"net/http"
	"strings"
)

// maxWarned is how many unreadable events get a warning with their text.
const maxWarned = 3

// An assembler makes an answer of events.
type assembler struct {
	content   splitter
	reasoning []byte // from fields of its own
	calls     toolCalls
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
	said    bool // some content came, be it empty space
	done    bool // the end mark came
	torn    bool // the stream was cut inside an event
	events  int
	unread  int
	current Delta // of the event that is being taken
}

func newAssembler() *assembler { return &assembler{content: newSplitter()} }

// take takes an event and returns what it adds to what is shown. The error is
// the server's.
func (a *assembler) take(ev event) (Delta, *Error) {
	a.current = Delta{}
	a.events++
	switch {
	case ev.torn:
		a.torn = true
	case ev.bad:
		a.unread++
		if a.unread <= maxWarned {
			a.warnings = append(a.warnings, "event "+fmt.Sprint(a.events)+" is no JSON and was left out: "+line(string(ev.data), 80))
		}
	case ev.failed:
		return Delta{}, failure(ev.data)
	case string(ev.data) == doneMark:
		a.done = true
	default:
		err := a.chunk(ev.data)
		return a.current, err
	}
	return Delta{}, nil
}

// failure is the error of an event that the server named one; it may be no JSON.
func failure(data []byte) *Error {
	if f, ok := faultIn(data, http.StatusInternalServerError); ok {
		return f.error("read answer", http.StatusOK)
	}
	return fault{message: string(data)}.error("read answer", http.StatusOK)
}

// chunk takes one chat.completion.chunk, or a whole chat.completion.
func (a *assembler) chunk(data []byte) *Error {
	var choices []byte
	suspect := !isObject(data)
	for w := members(data); ; {
		name, v, ok := w.member()
		if !ok {
			break
		}
		switch string(name) {
		case "choices":
			choices = v
		case "error", "object":
			suspect = suspect || string(name) == "error" && !nothing(v) || string(v) == `"error"`
		case "model":
			if a.model == "" {
				a.model, _ = text(v)
			}
		case "usage":
			a.addUsage(v)
		case "timings":
			a.timings = timings(v)
		case "x_groq":
			for g := members(v); ; {
				name, v, ok := g.member()
				if !ok {
					break
				}
				if string(name) == "usage" {
					a.addUsage(v)
				}
			}
		}
	}
	var bad *Error
	for w := elements(choices); ; {
		v, ok := w.element()
		if !ok {
			break
		}
		if err := a.takeChoice(v); err != nil {
			bad = err
		}
	}
	if suspect {
		if f, ok := faultIn(data, 0); ok {
			return f.error("read answer", http.StatusOK)
		}
	}
	return bad
}

func (a *assembler) takeChoice(raw []byte) *Error {
	var delta, message, legacy, usage, finish []byte
	var err *Error
	index := 0
	for w := members(raw); ; {
		name, v, ok := w.member()
		if !ok {
			break
		}
		switch string(name) {
		case "index":
			if n, ok := number(v); ok {
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
			if !nothing(v) {
				var f fault
				f.read(v)
				err = f.error("read answer", http.StatusOK)
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
	case isObject(delta):
		a.deltas = true
		a.message(delta)
	case isObject(message) && !a.deltas:
		a.message(message)
	case len(legacy) > 0 && legacy[0] == '"':
		a.addContent(legacy)
	}
	if s, _ := text(finish); s != "" {
		a.finish = s
		if s == "error" && err == nil {
			err = fault{message: "the server ended the answer with an error"}.error("read answer", http.StatusOK)
		}
	}
	return err
}

// message takes a delta, or a whole message.
func (a *assembler) message(raw []byte) {
	var reasoning, details string
	var content []byte
	for w := members(raw); ; {
		name, v, ok := w.member()
		if !ok {
			break
		}
		switch string(name) {
		case "role":
		case "content":
			content = v
		case "tool_calls":
			for w := elements(v); ; {
				call, ok := w.element()
				if !ok {
					break
				}
				a.calls.add(call)
				a.got = true
			}
		case "function_call": // the form before tool_calls
			if isObject(v) {
				a.calls.add(append(append([]byte(`{"function":`), v...), '}'))
				a.got = true
			}
		case "reasoning_content", "reasoning", "thinking_content", "thinking", "thought":
			if s, ok := text(v); ok && reasoning == "" { // servers that say it under two names say the same
				reasoning = s
			}
			a.raw.add(string(name), v)
		case "reasoning_details":
			details = parts(v)
			a.raw.add(string(name), v)
		default:
			a.raw.add(string(name), v)
		}
	}
	if reasoning == "" {
		reasoning = details
	}
	a.addReasoning(reasoning)
	a.addContent(content)
}

func (a *assembler) addReasoning(s string) {
	if s == "" {
		return
	}
	a.content.apart = true
	a.got = true
	a.reasoning = append(a.reasoning, s...)
	a.current.Reasoning += s
}

// addContent takes content: a string, or a list of parts.
func (a *assembler) addContent(raw []byte) {
	if s, ok := text(raw); ok {
		a.addText(s)
		return
	}
	for w := elements(raw); ; {
		part, ok := w.element()
		if !ok {
			return
		}
		switch kind, s := partOf(part); kind {
		case "thinking", "reasoning":
			a.addReasoning(s)
		case "text", "output_text", "":
			a.addText(s)
		}
	}
}

func (a *assembler) addText(s string) {
	if s == "" {
		return
	}
	a.got, a.said = true, true
	text, thought, rethought := a.content.add(s)
	a.current.Text += text
	a.current.Reasoning += thought
	a.current.Rethought = a.current.Rethought || rethought
}

// partOf returns the type of a part of content or of a reasoning detail, and
// its text.
func partOf(raw []byte) (kind, s string) {
	if s, ok := text(raw); ok {
		return "", s
	}
	for w := members(raw); ; {
		name, v, ok := w.member()
		if !ok {
			return kind, s
		}
		switch string(name) {
		case "type":
			kind, _ = text(v)
		case "text", "thinking", "summary", "reasoning":
			if t, ok := text(v); ok {
				s += t
			} else {
				s += parts(v)
			}
		}
	}
}

// parts joins the texts of a list of parts.
func parts(raw []byte) string {
	var b strings.Builder
	for w := elements(raw); ; {
		v, ok := w.element()
		if !ok {
			return b.String()
		}
		_, s := partOf(v)
		b.WriteString(s)
	}
}

// end takes the end of the stream and returns what is left to show.
func (a *assembler) end() Delta {
	return Delta{Text: a.content.finish()}
}

// answer is what was assembled. ids are those that calls of the conversation
// already have.
func (a *assembler) answer(ids map[string]bool) Answer {
	a.content.flush()
	out := Answer{
		Message: Message{
			Role:      "assistant",
			Content:   string(a.content.text),
			ToolCalls: a.calls.finish(ids),
			Raw:       a.raw.fieldsLeft(),
		},
		Reasoning: string(a.reasoning) + string(a.content.thought),
		Finish:    a.finish,
		Truncated: a.finish == "" && !a.done,
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
