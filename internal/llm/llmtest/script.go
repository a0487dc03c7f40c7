package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// A Script is one answer, byte by byte.
type Script struct {
	Status      int         // 0: 200
	ContentType string      // "": text/event-stream
	Header      http.Header // further ones; they win over ContentType
	Steps       []Step
	End         End
}

// A Step writes some bytes and flushes them.
type Step struct {
	Wait   <-chan struct{} // if not nil: first wait until it is closed or sends
	Pause  time.Duration   // then wait this long; for benchmarks, tests do better with Wait
	Write  string
	Repeat int             // how often Write is written; 0: once
	Sent   chan<- struct{} // if not nil: gets a value once the bytes are flushed, and the script waits for its being taken
}

// An End says what happens after the last step.
type End int

// The ends of a script.
const (
	Close End = iota // the body ends, the connection stays usable
	Hold             // the connection stays open until the client or the server goes
	Break            // the connection is cut without an end
)

// Raw writes each chunk as it is, flushed by itself.
func Raw(chunks ...string) Script {
	var s Script
	for _, c := range chunks {
		s.Steps = append(s.Steps, Step{Write: c})
	}
	return s
}

// Text answers with parts, one token each, then a finish reason, usage and the
// end mark.
func Text(parts ...string) Script {
	s := Raw(Delta(`{"role":"assistant","content":""}`))
	for _, p := range parts {
		s.Steps = append(s.Steps, Step{Write: Token(p)})
	}
	s.Steps = append(s.Steps, Step{Write: Finish("stop") + Usage(10, len(parts)) + Done})
	return s
}

// Call answers with one tool call; args is JSON text.
func Call(id, name, args string) Script {
	call := fmt.Sprintf(`{"tool_calls":[{"index":0,"id":%s,"type":"function","function":{"name":%s,"arguments":%s}}]}`, quote(id), quote(name), quote(args))
	return Raw(Delta(call), Finish("tool_calls")+Usage(10, 1)+Done)
}

// Error refuses with an HTTP status and a message.
func Error(status int, message string) Script {
	s := JSON(fmt.Sprintf(`{"error":{"message":%s,"type":"test_error"}}`, quote(message)))
	s.Status = status
	return s
}

// JSON answers with one JSON body.
func JSON(body string) Script {
	s := Raw(body)
	s.ContentType = "application/json"
	return s
}

// Hang says the parts and then nothing more, for ever.
func Hang(parts ...string) Script { return unfinished(Hold, parts) }

// Cut says the parts and then cuts the connection.
func Cut(parts ...string) Script { return unfinished(Break, parts) }

func unfinished(end End, parts []string) Script {
	s := Script{End: end}
	for _, p := range parts {
		s.Steps = append(s.Steps, Step{Write: Token(p)})
	}
	return s
}

// Gate makes step n of the script (0 is the first) wait for a channel, and gives
// the script back.
func (s Script) Gate(n int, wait <-chan struct{}) Script {
	s.Steps = append([]Step(nil), s.Steps...)
	s.Steps[n].Wait = wait
	return s
}

// With adds a header, and gives the script back.
func (s Script) With(name, value string) Script {
	h := s.Header.Clone()
	if h == nil {
		h = http.Header{}
	}
	h.Add(name, value)
	s.Header = h
	return s
}

// Done is the event that ends a stream.
const Done = "data: [DONE]\n\n"

// Token is the event of one piece of text.
func Token(text string) string { return Delta(`{"content":` + quote(text) + `}`) }

// Delta is the event of one delta, given as JSON.
func Delta(delta string) string {
	return `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1767225600,"model":"test","choices":[{"index":0,"delta":` + delta + `,"finish_reason":null}]}` + "\n\n"
}

// Finish is the event of a finish reason.
func Finish(reason string) string {
	return `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1767225600,"model":"test","choices":[{"index":0,"delta":{},"finish_reason":` + quote(reason) + `}]}` + "\n\n"
}

// Usage is the event of a count of tokens.
func Usage(prompt, completion int) string {
	return fmt.Sprintf(`data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1767225600,"model":"test","choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}}`+"\n\n", prompt, completion, prompt+completion)
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string cannot fail
	}
	return string(b)
}
