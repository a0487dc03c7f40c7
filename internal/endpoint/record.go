package endpoint

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"ken/internal/app"
	"ken/internal/assistant"
)

const (
	mostThreads = 256       // conversations that are gone on with
	mostAnswer  = 512 << 10 // bytes of an answer that are kept
	mostLine    = 4 << 20   // bytes of a chunk, or of an answer that comes whole, that are looked at
	mostAsked   = 64 << 10  // bytes of a question that are kept
)

// A thread is a conversation of a program's own: where it is kept.
type thread struct {
	path string
	at   time.Time
}

// A tape has what a model answers, as far as it is text, while it is passed on.
type tape struct {
	stream bool
	line   []byte // that has not ended
	long   bool   // line is longer than is looked at
	text   strings.Builder
	finish string
	cut    bool // text is not all
}

// newTape is for an answer; nil if it failed.
func newTape(res *http.Response) *tape {
	if res.StatusCode != http.StatusOK {
		return nil
	}
	return &tape{stream: strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream")}
}

// take takes what came.
func (t *tape) take(b []byte) {
	if t == nil {
		return
	}
	for len(b) > 0 {
		i := -1
		if t.stream {
			i = bytes.IndexAny(b, "\r\n")
		}
		part := b
		if i >= 0 {
			part = b[:i]
		}
		if t.long = t.long || len(t.line)+len(part) > mostLine; !t.long {
			t.line = append(t.line, part...)
		}
		if i < 0 {
			return
		}
		t.end()
		b = b[i+1:]
	}
}

// end ends a line.
func (t *tape) end() {
	data, ok := bytes.CutPrefix(t.line, []byte("data:"))
	if !t.stream {
		data, ok = t.line, true
	}
	if ok && !t.long {
		t.said(data)
	}
	t.cut = t.cut || t.long
	t.line, t.long = t.line[:0], false
}

// said takes the text of a chunk, or of an answer that came whole.
func (t *tape) said(data []byte) {
	var is struct{ Choices []map[string]any }
	if json.Unmarshal(data, &is) != nil {
		return
	}
	for _, c := range is.Choices {
		if n, ok := c["index"].(float64); ok && n != 0 {
			continue // another answer to the same
		}
		for _, name := range []string{"delta", "message"} {
			said, _ := c[name].(map[string]any)
			text, _ := said["content"].(string) // null before a call
			if t.text.Len()+len(text) > mostAnswer {
				text, t.cut = "", true
			}
			t.text.WriteString(text)
		}
		if why, ok := c["finish_reason"].(string); ok {
			t.finish = why
		}
	}
}

// record keeps a question and what was answered, if the person wants that: with what went before, where the program says so or the
// conversation begins as that did.
func (e *Endpoint) record(r *http.Request, who Client, q request, t *tape) {
	last := q.last()
	if t == nil || last < 0 {
		return
	}
	if !t.stream || len(t.line) > 0 {
		t.end()
	}
	x := app.Exchange{Model: q.model, Answer: t.text.String(), Finish: t.finish}
	if t.cut {
		x.Finish = ""
	}
	asked := assistant.Said(q.text(last))
	x.Question = strings.ToValidUTF8(asked[:min(len(asked), mostAsked)], "")
	key := e.threadOf(r, who, q)
	e.recording.Lock()
	defer e.recording.Unlock()
	e.mu.Lock()
	was := e.threads[key]
	e.mu.Unlock()
	x.Path = was.path
	if was.path != "" && last < len(q.messages)-1 {
		x.Question = "" // it stands there
	}
	path := who.Memory.Record(x)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.threads[key] = thread{path, e.o.Now()}
	if len(e.threads) > mostThreads {
		oldest := key
		for k, t := range e.threads {
			if t.at.Before(e.threads[oldest].at) {
				oldest = k
			}
		}
		delete(e.threads, oldest)
	}
}

// threadOf is which conversation a question is of: programs say it by a header, or it begins with the same words.
func (e *Endpoint) threadOf(r *http.Request, who Client, q request) [sha256.Size]byte {
	h := sha256.New()
	part := func(text []byte) {
		_, _ = h.Write(append(text, 0)) // it never fails
	}
	part([]byte(who.Name))
	for _, name := range []string{"X-Openwebui-Chat-Id", "X-Session-Id"} {
		if id := r.Header.Get(name); id != "" {
			part([]byte(name + id))
			return [sha256.Size]byte(h.Sum(nil))
		}
	}
	for i, m := range q.messages {
		if m.role == "user" {
			part([]byte(q.text(i)))
			break
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}
