package llm

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// maxErrorBody is how much is read of a body that comes with an error status.
const maxErrorBody = 64 << 10

// post is one try. The answer holds what had arrived, also beside an error,
// whose Partial is then set. stale: a kept connection was closed under the
// request, which may simply be sent again.
func (c *Client) post(ctx context.Context, req Request, body []byte, show func(Delta) error) (a Answer, e *Error, stale bool) {
	if ctx.Err() != nil {
		return a, ended(ctx, "send"), false
	}
	target, err := c.preset.url()
	if err != nil {
		return a, &Error{Kind: BadRequest, Op: "send", cause: err}, false
	}
	// The request outlives its caller by the moment that draining takes.
	rctx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	unhook := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	defer unhook()
	w := &watch{cancel: cancel, limits: [...]limit{
		connecting: {c.preset.ConnectTimeout, "connect_timeout", "no connection"},
		waiting:    {c.preset.FirstTokenTimeout, "first_token_timeout", "no token"},
		reading:    {c.preset.IdleTimeout, "idle_timeout", "silence"},
		finishing:  {c.o.Grace, "", ""},
	}}
	defer w.stop()

	var reused, answered atomic.Bool
	trace := &httptrace.ClientTrace{
		GotConn: func(i httptrace.GotConnInfo) {
			reused.Store(i.Reused)
			w.enter(waiting)
		},
		GotFirstResponseByte: func() { answered.Store(true) },
	}
	r, err := newRequest(httptrace.WithClientTrace(rctx, trace), target, c.preset.APIKey, body)
	if err != nil {
		cancel(nil)
		return a, &Error{Kind: BadRequest, Op: "send", cause: err}, false
	}
	w.enter(connecting)
	res, err := c.http.Do(r)
	if err != nil {
		e = c.broken(ctx, rctx, w, "send", err)
		cancel(nil)
		return a, e, e.Kind == Network && reused.Load() && !answered.Load()
	}
	w.enter(waiting)
	if res.StatusCode/100 != 2 {
		e = refused(res)
		_ = res.Body.Close()
		cancel(nil)
		return a, e, false
	}
	x := &exchange{client: c, ctx: ctx, rctx: rctx, watch: w, show: show, assembler: newAssembler(), req: req, contentType: res.Header.Get("Content-Type")}
	src, err := plain(res, w)
	if err == nil {
		x.events = newEvents(src)
		a, e = x.run()
	} else {
		e = x.fail(err)
	}
	w.stop()
	if e == nil && x.assembler.done {
		c.drain(res.Body, func() { cancel(nil) })
		return a, e, false
	}
	_ = res.Body.Close()
	cancel(nil)
	return a, e, false
}

// plain is the body of a response without its compression. Reading it breaks
// the silence that w watches.
func plain(res *http.Response, w *watch) (io.Reader, error) {
	src := io.Reader(touching{res.Body, w})
	if enc := strings.ToLower(res.Header.Get("Content-Encoding")); enc == "gzip" || enc == "x-gzip" {
		return gzip.NewReader(src)
	}
	return src, nil
}

type touching struct {
	io.Reader
	watch *watch
}

func (t touching) Read(p []byte) (int, error) {
	n, err := t.Reader.Read(p)
	if n > 0 {
		t.watch.touch()
	}
	return n, err
}

// An exchange reads the body of one success.
type exchange struct {
	client      *Client
	ctx, rctx   context.Context
	watch       *watch
	events      *events
	assembler   *assembler
	show        func(Delta) error
	req         Request
	contentType string
}

func (x *exchange) run() (Answer, *Error) {
	a := x.assembler
	for !a.done {
		ev, err := x.events.next()
		if err != nil {
			if errors.Is(err, io.EOF) || a.finish != "" && x.ctx.Err() == nil && !errors.Is(err, errTooLarge) {
				break // all that matters is there, however the server ended it
			}
			return x.partial(x.fail(err))
		}
		had, finished := a.got, a.finish
		d, e := a.take(ev)
		if err := shield(x.show, d); err != nil {
			return x.partial(&Error{Kind: Callback, Op: "show the answer", cause: err})
		}
		if e != nil {
			e.ContentType = x.contentType
			return x.partial(e)
		}
		switch {
		case a.finish != "" && (finished == "" || d != (Delta{})):
			x.watch.enter(finishing)
		case a.got && !had && a.finish == "":
			x.watch.enter(reading)
		}
		if err := x.ctx.Err(); err != nil { // while show was busy
			return x.partial(ended(x.ctx, "read answer"))
		}
	}
	x.watch.stop()
	return x.end()
}

// end takes a clean end of the stream.
func (x *exchange) end() (Answer, *Error) {
	a := x.assembler
	if err := shield(x.show, a.end()); err != nil {
		return x.partial(&Error{Kind: Callback, Op: "show the answer", cause: err})
	}
	broke := func(kind Kind, message string) (Answer, *Error) {
		return x.partial(&Error{Kind: kind, Op: "read answer", Status: http.StatusOK, ContentType: x.contentType, Message: message})
	}
	switch {
	case a.finish != "":
	case !a.got:
		_, e := broke(Protocol, "the answer holds no content, no tool call and no finish reason")
		e.Head = string(x.events.head)
		if e.Head == "" {
			e.Message += ": the body is empty"
		}
		return Answer{}, e
	case !a.done && a.calls.cut():
		return broke(Incomplete, "the stream ended inside a tool call")
	case len(a.content.text) == 0 && len(a.calls.list) == 0:
		return broke(Incomplete, "the stream ended after reasoning, without an answer")
	}
	return x.answer(), nil
}

func (x *exchange) answer() Answer {
	ids := map[string]bool{}
	for _, m := range x.req.Messages {
		for _, c := range m.ToolCalls {
			ids[c.ID] = true
		}
	}
	out := x.assembler.answer(ids)
	if x.events != nil {
		out.Bytes = x.events.bytes
	}
	return out
}

// partial puts beside an error what had arrived.
func (x *exchange) partial(e *Error) (Answer, *Error) {
	out := x.answer()
	if x.assembler.got {
		e.Partial = &out
	}
	return out, e
}

// fail is the error of a read that failed.
func (x *exchange) fail(err error) *Error {
	if errors.Is(err, errTooLarge) {
		return &Error{Kind: Protocol, Op: "read answer", Status: http.StatusOK, ContentType: x.contentType, cause: err}
	}
	e := x.client.broken(x.ctx, x.rctx, x.watch, "read answer", err)
	if e.Kind == Network && x.assembler.got {
		e.Kind, e.Message = Incomplete, "the connection broke before the end of the answer"
	}
	return e
}

// broken finds out why something on the wire failed.
func (c *Client) broken(ctx, rctx context.Context, w *watch, op string, err error) *Error {
	if ctx.Err() != nil {
		return ended(ctx, op)
	}
	var over *expired
	if errors.As(context.Cause(rctx), &over) {
		return &Error{Kind: Timeout, Op: op, setting: over.setting, cause: over}
	}
	var timeout interface{ Timeout() bool }
	if l := w.limits[connecting]; w.in() == connecting && l.d > 0 && errors.As(err, &timeout) && timeout.Timeout() {
		over := &expired{l}
		return &Error{Kind: Timeout, Op: "connect", setting: over.setting, cause: over}
	}
	if w.in() == connecting {
		op = "connect"
	}
	return &Error{Kind: Network, Op: op, cause: withoutURL(err)}
}

// refused reads the error of a response that is no success.
func refused(res *http.Response) *Error {
	src := io.Reader(res.Body)
	if strings.EqualFold(res.Header.Get("Content-Encoding"), "gzip") {
		if z, err := gzip.NewReader(src); err == nil {
			src = z
		}
	}
	body, err := io.ReadAll(io.LimitReader(src, maxErrorBody))
	e := statusError(res.StatusCode, body)
	e.ContentType = res.Header.Get("Content-Type")
	e.RetryAfter = retryAfter(res.Header)
	if to := res.Header.Get("Location"); to != "" && res.StatusCode < 400 {
		e.Message = "redirected to " + shownText(to) + ", which ken does not follow"
	}
	if e.Message == "" && err != nil {
		e.cause = err
	}
	return e
}

func statusError(status int, body []byte) *Error {
	// Through the reader of streams, since errors come as events as well.
	d := newEvents(strings.NewReader(string(body)))
	for {
		ev, err := d.next()
		if err != nil {
			break
		}
		if ev.bad {
			continue
		}
		if f, ok := faultIn(ev.data, status); ok {
			e := f.error("ask", status)
			e.param = f.param
			return e
		}
	}
	head := body[:min(len(body), headBytes)]
	return &Error{Kind: kindOf(status), Op: "ask", Status: status, Head: string(head)}
}

// retryAfter reads how long the server asks to wait, 0 if it does not. A date is
// compared with the server's own clock.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < 1e9 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	after := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(after, 64); err == nil {
		if s > 0 && s < 1e9 {
			return time.Duration(s * float64(time.Second))
		}
		return 0
	}
	at, err := http.ParseTime(after)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return 0
	}
	return max(at.Sub(now), 0)
}

// expired is the cause of a call that hit a limit.
type expired struct{ limit }

func (e *expired) Error() string { return fmt.Sprintf("%s for %s (%s)", e.what, e.d, e.setting) }
