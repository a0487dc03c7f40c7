package endpoint

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// writeWait is how long a client may take to read what it was sent.
const writeWait = 30 * time.Second

// kept are the headers of a model's answer that are passed on.
func kept() []string {
	return []string{
		"Content-Type", "Content-Encoding", "Retry-After", "Retry-After-Ms", "X-Request-Id", "Openai-Processing-Ms",
		"X-Ratelimit-Limit-Requests", "X-Ratelimit-Limit-Tokens", "X-Ratelimit-Remaining-Requests", "X-Ratelimit-Remaining-Tokens",
		"X-Ratelimit-Reset-Requests", "X-Ratelimit-Reset-Tokens",
	}
}

var errSilent = errors.New("the model said nothing for too long") //nolint:gochecknoglobals // a value to compare with

// relay passes an answer on, as it comes and as x has it; heard is told first what came. A connection that breaks is broken for the
// client too: it must not take a part for all. A client that does not read for longer than wait is hung up on.
func relay(w http.ResponseWriter, res *http.Response, wait time.Duration, heard func([]byte), x *explain) {
	conn := http.NewResponseController(w)
	for _, name := range kept() {
		if values := res.Header.Values(name); len(values) > 0 {
			w.Header()[name] = values
		}
	}
	reads := time.AfterFunc(wait, func() { _ = conn.SetWriteDeadline(time.Unix(1, 0)) })
	defer reads.Stop()
	w.WriteHeader(res.StatusCode)
	_ = conn.Flush()
	reads.Stop()
	buffer := make([]byte, 32<<10)
	for {
		n, err := res.Body.Read(buffer)
		if n > 0 {
			heard(buffer[:n])
			reads.Reset(wait)
			if _, err := w.Write(x.pass(buffer[:n])); err != nil {
				panic(http.ErrAbortHandler) // the client is gone
			}
			if conn.Flush() != nil {
				panic(http.ErrAbortHandler)
			}
			reads.Stop()
		}
		switch {
		case errors.Is(err, io.EOF):
			if rest := x.end(); len(rest) > 0 {
				reads.Reset(wait)
				_, _ = w.Write(rest) // whoever is gone needs no end
			}
			return
		case err != nil:
			panic(http.ErrAbortHandler) // net/http's way to cut a connection
		}
	}
}

// A limit ends a request to a model that is silent for too long.
type limit struct {
	timer *time.Timer
	idle  time.Duration
}

// newLimit begins with the time for the first byte; 0: there is none.
func newLimit(cancel context.CancelCauseFunc, first, idle time.Duration) *limit {
	l := &limit{idle: idle}
	if first > 0 {
		l.timer = time.AfterFunc(first, func() { cancel(errSilent) })
	} else if idle > 0 {
		l.timer = time.AfterFunc(time.Hour*24*365, func() { cancel(errSilent) })
	}
	return l
}

// touch says that something came.
func (l *limit) touch() {
	switch {
	case l.timer == nil:
	case l.idle > 0:
		l.timer.Reset(l.idle)
	default:
		l.timer.Stop()
	}
}

func (l *limit) stop() {
	if l.timer != nil {
		l.timer.Stop()
	}
}
