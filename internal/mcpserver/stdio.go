package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// mostWait is how long the answers are waited for after a client sent its last request. Who wants the server gone sooner
// sends a signal; what a client is still to be asked then is never answered.
const mostWait = 5 * time.Second

// An inHand knows which requests are to be answered yet. It is safe for concurrent use.
type inHand struct {
	mu    sync.Mutex
	calls map[string]bool
	line  []byte        // what has come of the next one
	long  bool          // it is too long to be read: so the server will say
	fewer chan struct{} // holds something once a request was answered
}

func newInHand() *inHand { return &inHand{calls: map[string]bool{}, fewer: make(chan struct{}, 1)} }

// A message is a request, a notification or an answer, as far as it says which.
type message struct {
	ID     any             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// messages are those of a line, one or a batch; none if it is no such thing.
func messages(line []byte) (list []message) {
	line = bytes.TrimSpace(line)
	if len(line) > 0 && line[0] == '[' {
		if json.Unmarshal(line, &list) != nil {
			return nil
		}
		return list
	}
	var m message
	if json.Unmarshal(line, &m) != nil {
		return nil
	}
	return []message{m}
}

// name tells the id of a request from others: a number from a text.
func name(id any) string { return fmt.Sprintf("%T %v", id, id) }

// came takes bytes of the client, and the requests among them in hand.
func (h *inHand) came(p []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for len(p) > 0 {
		rest, whole := p, false
		if i := bytes.IndexByte(p, '\n'); i >= 0 {
			rest, whole = p[:i], true
			p = p[i+1:]
		} else {
			p = nil
		}
		h.long = h.long || len(h.line)+len(rest) > maxLine
		if !h.long {
			h.line = append(h.line, rest...)
		}
		if !whole {
			return
		}
		for _, m := range messages(h.line) {
			h.take(m)
		}
		h.line, h.long = h.line[:0], false
	}
}

// begun reports whether a line began that has not ended.
func (h *inHand) begun() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.line) > 0
}

// take takes a request in hand; one that the client takes back is dropped.
func (h *inHand) take(m message) {
	switch {
	case m.Method == "notifications/cancelled":
		var of struct {
			ID any `json:"requestId"`
		}
		if json.Unmarshal(m.Params, &of) == nil {
			h.drop(of.ID)
		}
	case m.Method != "" && m.ID != nil:
		h.calls[name(m.ID)] = true
	}
}

func (h *inHand) drop(id any) {
	delete(h.calls, name(id))
	select {
	case h.fewer <- struct{}{}:
	default:
	}
}

// went drops the requests that a line answers.
func (h *inHand) went(line []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range messages(line) {
		if m.Method == "" {
			h.drop(m.ID)
		}
	}
}

// wait returns once all is answered, or after mostWait.
func (h *inHand) wait() {
	t := time.NewTimer(mostWait)
	defer t.Stop()
	for {
		h.mu.Lock()
		left := len(h.calls)
		h.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-h.fewer:
		case <-t.C:
			return
		}
	}
}

// An untilAnswered is a stream of requests whose end is not seen before they are answered: at the end the protocol's library
// drops what it has in hand, and a script that pipes its requests in would get nothing.
type untilAnswered struct {
	io.ReadCloser
	h *inHand
}

func (r untilAnswered) Read(p []byte) (n int, err error) {
	n, err = r.ReadCloser.Read(p)
	if n == 0 && len(p) > 0 && errors.Is(err, io.EOF) && r.h.begun() { // a last line that nothing ends is one
		n, err = copy(p, "\n"), nil
	}
	r.h.came(p[:n])
	if n > 0 || !errors.Is(err, io.EOF) {
		return n, err
	}
	r.h.wait()
	return 0, err
}

// An answers is where answers go, a line at a time.
type answers struct {
	io.WriteCloser
	h *inHand
}

func (w answers) Write(line []byte) (int, error) {
	n, err := w.WriteCloser.Write(line)
	w.h.went(line)
	return n, err
}
