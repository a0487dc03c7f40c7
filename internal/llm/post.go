package llm

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"ken/internal/llm/delta"
	"ken/internal/llm/wire"
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
	x := &exchange{client: c, ctx: ctx, rctx: rctx, watch: w, show: show, assembler: delta.New(), req: req, contentType: res.Header.Get("Content-Type")}
	x.assembler.Limit(c.o.MostAnswer)
	src, err := plain(res, w)
	if err == nil {
		x.events = wire.NewReader(src)
		a, e = x.run()
	} else {
		e = x.fail(err)
	}
	w.stop()
	if e == nil && x.assembler.Done() {
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
	d := wire.NewReader(bytes.NewReader(body))
	for {
		ev, err := d.Next()
		if err != nil {
			break
		}
		if ev.Bad || !json.Valid(ev.Data) {
			continue
		}
		if f, ok := wire.FaultIn(ev.Data, true); ok {
			return fromFault(f, "ask", status)
		}
	}
	return &Error{Kind: kindOf(status), Op: "ask", Status: status, Head: d.Head()}
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
