package acp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// mostLine is the longest message that is read, in bytes: pictures are in them.
	mostLine = 10<<20 - 1
	// mostQueued is how much may wait for an editor that does not read, in bytes, before answers wait for it.
	mostQueued = 4 << 20
)

// errLong says that a message is too long for what reads them.
var errLong = errors.New("a message of the editor has more than 10 MB")

// An inbox gives the protocol's library one message at a time: the next one when the handler of the last one has begun, so
// that requests begin in their order. It implements io.Reader.
type inbox struct {
	in    *bufio.Reader
	begun chan struct{} // a handler has
	gone  chan struct{} // nobody reads any more
	odd   func()        // a line was no message
	await bool
	rest  []byte
	long  atomic.Bool // there are no more since one was too long
}

func (r *inbox) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.await {
			select {
			case <-r.begun:
			case <-r.gone:
				return 0, io.EOF
			}
			r.await = false
		}
		var err error
		if r.rest, err = r.line(); err != nil {
			r.long.Store(errors.Is(err, errLong))
			return 0, err
		}
		if r.rest = bytes.TrimSpace(r.rest); len(r.rest) == 0 {
			continue
		}
		var m struct {
			ID     *json.RawMessage
			Method string
		}
		if json.Unmarshal(r.rest, &m) != nil || m.ID == nil && m.Method == "" {
			r.rest = nil
			r.odd()
			continue
		}
		r.await = m.Method != "" && (m.ID != nil || m.Method != "$/cancel_request")
		r.rest = append(r.rest, '\n')
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func (r *inbox) line() (line []byte, err error) {
	for {
		part, err := r.in.ReadSlice('\n')
		if line = append(line, part...); len(line) > mostLine {
			return nil, errLong
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		default:
			return line, err
		}
	}
}

// An outbox passes messages on in their order, as fast as the editor reads. It implements io.Writer, and never waits.
type outbox struct {
	mu     sync.Mutex
	queue  [][]byte
	size   int
	closed bool
	more   chan struct{} // there is something, or it is closed
	less   chan struct{} // closed when there is less
	done   chan struct{} // closed when all is passed on after close, or cannot be
}

func newOutbox(out io.Writer) *outbox {
	o := &outbox{more: make(chan struct{}, 1), less: make(chan struct{}), done: make(chan struct{})}
	go o.pass(out)
	return o
}

func (o *outbox) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return 0, os.ErrClosed
	}
	o.queue, o.size = append(o.queue, bytes.Clone(p)), o.size+len(p)
	o.wake()
	return len(p), nil
}

func (o *outbox) wake() {
	select {
	case o.more <- struct{}{}:
	default:
	}
}

// room waits until there is room for more.
func (o *outbox) room(ctx context.Context) error {
	for {
		o.mu.Lock()
		size, less, closed := o.size, o.less, o.closed
		o.mu.Unlock()
		switch {
		case closed:
			return os.ErrClosed
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case size <= mostQueued:
			return nil
		}
		select {
		case <-less:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (o *outbox) pass(out io.Writer) {
	defer close(o.done)
	for {
		o.mu.Lock()
		list, closed := o.queue, o.closed
		o.queue = nil
		o.mu.Unlock()
		if len(list) == 0 && closed {
			return
		}
		for _, b := range list {
			_, err := out.Write(b)
			o.mu.Lock()
			o.size -= len(b)
			close(o.less)
			o.less = make(chan struct{})
			o.closed = o.closed || err != nil
			o.mu.Unlock()
			if err != nil {
				return
			}
		}
		if len(list) == 0 {
			<-o.more
		}
	}
}

// end has what waits passed on, for so long.
func (o *outbox) end(most time.Duration) error {
	o.mu.Lock()
	o.closed = true
	o.wake()
	o.mu.Unlock()
	t := time.NewTimer(most)
	defer t.Stop()
	select {
	case <-o.done:
		return nil
	case <-t.C:
		return fmt.Errorf("the editor did not read all of the answer")
	}
}
