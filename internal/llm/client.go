package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"ken/internal/llm/delta"
	"ken/internal/llm/wire"
)

const (
	// maxWait is the longest Retry-After that is worth sitting out: a person
	// waits, and another model may be at hand.
	maxWait = 30 * time.Second
	// busyWait is the wait where the server names none (llama.cpp loading a model).
	busyWait = time.Second
	// finishGrace is how long usage and the end mark may come after the finish
	// reason. Some servers then send heartbeats for ever instead.
	finishGrace = 5 * time.Second
)

// Options are what a Client stands on. The zero Options are right for a program.
type Options struct {
	// HTTP sends the requests; nil: a transport of the client's own. Redirects
	// are treated as Stream says in either case. ConnectTimeout needs a transport
	// that knows net/http/httptrace, as that of net/http does.
	HTTP *http.Client
	// OnWait is called before the client waits to try again. It may be nil.
	OnWait func(wait time.Duration, cause *Error)
	// Sleep waits; nil: for real. It returns early with the context's error.
	Sleep func(ctx context.Context, d time.Duration) error
	// MostAnswer is the most of an answer that is held, in bytes: its text, reasoning,
	// calls and other fields together. There the stream is cut off, and the answer
	// ends with the finish reason "length" and a warning. 0: delta.MostHeld.
	MostAnswer int
	// Known is what refusals of the server taught a client of an earlier run, as Learned got it. It is tried, and forgotten
	// when the server refuses it.
	Known []string
	// Learned is called, in the goroutine of the caller, when the server answered and what is known of it by refusals is other
	// than it was told last, at first Known. It is in words without space, comma or control characters. It may be nil.
	Learned func(names []string)
	// Grace is the time for usage and the end mark after a finish reason; 0: 5 s.
	Grace time.Duration
}

// A Client asks one model. It keeps its connections between calls, and what the
// server's refusals taught it. It is safe for concurrent use.
type Client struct {
	preset Preset
	o      Options
	http   *http.Client
	drains sync.WaitGroup

	mu     sync.Mutex
	shape  shape    // of the next request
	told   []string // what Learned was told last
	inVain bool     // all that was learned was forgotten, and nothing was answered since
}

// New returns a client of a preset. It does no I/O; a preset that cannot work
// (no address, no model) is an error of the first call.
func New(p Preset, o Options) *Client {
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.MostAnswer <= 0 {
		o.MostAnswer = delta.MostHeld
	}
	if o.Grace == 0 {
		o.Grace = finishGrace
	}
	c := &Client{preset: p, o: o, http: httpClient(o.HTTP, p.ConnectTimeout), shape: p.shape().knowing(o.Known)}
	c.told = c.shape.learned(p.shape())
	return c
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}

// Close waits for connections that are being read to their end, at most a
// second, and closes those that are idle. The client may be used again.
func (c *Client) Close() {
	c.drains.Wait()
	c.http.CloseIdleConnections()
}

// Body returns the exact bytes that the next Stream or Complete sends for req.
func (c *Client) Body(req Request) ([]byte, error) {
	b, err := c.preset.body(req, c.now())
	if err != nil {
		return nil, c.complete(&Error{Kind: BadRequest, Op: "write request", cause: err})
	}
	return b, nil
}

func (c *Client) now() shape {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shape
}

// Complete is Stream for a caller that shows nothing before the end.
func (c *Client) Complete(ctx context.Context, req Request) (Answer, error) {
	return c.Stream(ctx, req, nil)
}

// Stream asks the model and calls show, in the caller's goroutine, with each
// piece of the answer as it comes. show may be nil. An error or a panic of show
// ends the call with an Error of kind Callback that wraps it.
//
// A call tries again, only before the first token: once after a 429 or 503,
// when the wait that the server asks for is at most 30 s; once when a kept
// connection turned out to be closed; and once for each thing that a refusal
// names and that the request can do without, or put otherwise: an optional field,
// tools, a system message, several calls in one message. So it is then done from
// then on, and a warning of the answer says so. A refusal that names nothing of the
// kind has all that forgotten, and the request sent as at first, if that was not in vain before.
//
// Redirects are followed to the same scheme, host and port only, and with the
// same method only.
//
// On error the answer is what had arrived, as in Error.Partial. The error is
// always an *Error; a cancelled ctx ends the call at once, and errors.Is finds
// its cause.
func (c *Client) Stream(ctx context.Context, req Request, show func(Delta) error) (Answer, error) {
	return c.stream(ctx, req, show, maxWait)
}

// stream is Stream for somebody who waits for at most longest where the server
// asks to.
func (c *Client) stream(ctx context.Context, req Request, show func(Delta) error, longest time.Duration) (Answer, error) {
	var warnings []string
	waited, redialled := false, false
	for {
		s := c.now()
		body, err := c.preset.body(req, s)
		if err != nil {
			return Answer{}, c.complete(&Error{Kind: BadRequest, Op: "write request", cause: err})
		}
		a, e, stale := c.post(ctx, req, body, show)
		a.Warnings, a.Preset = append(warnings, a.Warnings...), c.preset.Name
		if e == nil {
			c.answered(s)
			return a, nil
		}
		e = c.complete(e)
		e.images = req.hasImages()
		if e.Partial != nil {
			e.Partial = &a
			return a, e
		}
		learned := c.learn(e, s, req)
		wait, busy := retryWait(e, longest)
		switch {
		case learned != "":
			warnings = append(warnings, learned)
		case c.unlearn(e, s):
		case stale && !redialled:
			redialled = true
		case busy && !waited:
			waited = true
			if c.o.OnWait != nil {
				c.o.OnWait(wait, e)
			}
			if err := c.o.Sleep(ctx, wait); err != nil {
				return a, c.complete(ended(ctx, "wait to try again"))
			}
		default:
			return a, e
		}
	}
}

// retryWait returns whether to try again after e, and when.
func retryWait(e *Error, longest time.Duration) (time.Duration, bool) {
	busy := e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable
	if !busy || e.RetryAfter > longest || strings.Contains(e.Code, "quota") {
		return 0, false
	}
	if e.RetryAfter == 0 {
		return busyWait, true
	}
	return e.RetryAfter, true
}

// complete fills in what every Error of this client has, and takes the key and
// what a terminal should not get out of what the server said.
func (c *Client) complete(e *Error) *Error {
	e.Preset, e.keys = c.preset.Name, c.preset.Keys
	if target, err := c.preset.url(); err == nil {
		e.URL = shown(target)
	}
	clean := func(s string) string {
		if key := c.preset.APIKey.Reveal(); len(key) >= 8 { // shorter ones are no keys, and everywhere
			s = strings.ReplaceAll(s, key, "[key]")
		}
		return wire.Line(s, lineBytes)
	}
	e.Message, e.Code, e.Head, e.ContentType = clean(e.Message), clean(e.Code), clean(e.Head), clean(e.ContentType)
	return e
}

// ended is the error of a call whose context is done.
func ended(ctx context.Context, op string) *Error {
	e := &Error{Kind: Cancelled, Op: op, cause: context.Cause(ctx)}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e.Kind = Timeout
	}
	return e
}

// shield calls show, and makes an error of a panic.
func shield(show func(Delta) error, d Delta) (err error) {
	if show == nil || d == (Delta{}) {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			if cause, ok := p.(error); ok {
				err = fmt.Errorf("panic: %w", cause)
			} else {
				err = fmt.Errorf("panic: %v", p)
			}
		}
	}()
	return show(d)
}

// drain reads a body that is done to its end, so that its connection can be used
// again, without making the caller wait for that.
func (c *Client) drain(body io.ReadCloser, cancel func()) {
	c.drains.Go(func() {
		t := time.AfterFunc(time.Second, cancel)
		defer t.Stop()
		_, _ = io.CopyN(io.Discard, body, 64<<10)
		_ = body.Close()
		cancel()
	})
}
