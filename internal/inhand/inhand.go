package inhand

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// Wait is how long answers are waited for after the last request. Who wants a server gone sooner sends a signal; what a client is
// still to be asked then is never answered.
const Wait = 5 * time.Second

// mostKept is the most room that is kept for the next line, in bytes.
const mostKept = 64 << 10

// Calls are the requests that are to be answered yet. They are safe for concurrent use.
type Calls struct {
	longest int
	counts  func(method string) bool

	mu    sync.Mutex // guards what follows
	open  map[string]bool
	in    line
	out   line
	fewer chan struct{} // holds something once a request was answered
}

// A line is what has come of one.
type line struct {
	text []byte
	long bool // it is too long to be read
}

// New returns no requests. Lines of more than longest bytes are not looked at; counts says of which methods the answers are waited
// for, nil: of all.
func New(longest int, counts func(method string) bool) *Calls {
	if counts == nil {
		counts = func(string) bool { return true }
	}
	return &Calls{longest: longest, counts: counts, open: map[string]bool{}, fewer: make(chan struct{}, 1)}
}

// A message is a request, a notification or an answer, as far as it says which.
type message struct {
	ID     any
	Method string
	Params json.RawMessage
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

// add takes bytes, and has each line looked at that is whole.
func (l *line) add(p []byte, longest int, look func(message)) {
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		rest := p
		if i >= 0 {
			rest = p[:i]
		}
		l.long = l.long || len(l.text)+len(rest) > longest
		if !l.long {
			l.text = append(l.text, rest...)
		}
		if i < 0 {
			return
		}
		p = p[i+1:]
		for _, m := range messages(l.text) {
			look(m)
		}
		if l.text, l.long = l.text[:0], false; cap(l.text) > mostKept {
			l.text = nil
		}
	}
}

// begun reports whether a line began that has not ended.
func (c *Calls) begun() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.in.text) > 0
}

// came takes a request in hand; one that the client takes back is dropped.
func (c *Calls) came(m message) {
	switch {
	case m.Method == "notifications/cancelled":
		var of struct{ RequestID any }
		if json.Unmarshal(m.Params, &of) == nil {
			c.drop(of.RequestID)
		}
	case m.Method != "" && m.ID != nil && c.counts(m.Method):
		c.open[name(m.ID)] = true
	}
}

// went drops the request that a message answers.
func (c *Calls) went(m message) {
	if m.Method == "" {
		c.drop(m.ID)
	}
}

func (c *Calls) drop(id any) {
	delete(c.open, name(id))
	select {
	case c.fewer <- struct{}{}:
	default:
	}
}

// wait returns once all is answered, or after Wait.
func (c *Calls) wait() {
	t := time.NewTimer(Wait)
	defer t.Stop()
	for {
		c.mu.Lock()
		left := len(c.open)
		c.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-c.fewer:
		case <-t.C:
			return
		}
	}
}

// Requests is the stream of requests. Its end is seen behind the answers, or after Wait; a last line that nothing ends is one.
func (c *Calls) Requests(in io.Reader) io.Reader { return requests{in, c} }

type requests struct {
	in io.Reader
	c  *Calls
}

func (r requests) Read(p []byte) (n int, err error) {
	n, err = r.in.Read(p)
	if n == 0 && len(p) > 0 && errors.Is(err, io.EOF) && r.c.begun() {
		n, err = copy(p, "\n"), nil
	}
	r.c.mu.Lock()
	r.c.in.add(p[:n], r.c.longest, r.c.came)
	r.c.mu.Unlock()
	if n > 0 || !errors.Is(err, io.EOF) {
		return n, err
	}
	r.c.wait()
	return 0, err
}

// Answers is where the answers go.
func (c *Calls) Answers(out io.Writer) io.Writer { return answers{out, c} }

type answers struct {
	out io.Writer
	c   *Calls
}

func (w answers) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	w.c.mu.Lock()
	defer w.c.mu.Unlock()
	w.c.out.add(p[:n], w.c.longest, w.c.went)
	return n, err
}
