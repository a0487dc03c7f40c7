package llm

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"ken/internal/llm/wire"
)

// A JSONClient calls a path of an API that takes one JSON body and answers with another,
// by the rules of a Client for keys, proxies and redirects. It is safe for
// concurrent use.
type JSONClient struct {
	target *url.URL
	key    Secret
	keys   map[string]string
	http   *http.Client
}

// NewJSONClient returns the client of a path below the base URL of an API, as Endpoint
// takes them. connect limits dialling and TLS; 0: no limit. keys are what hints call
// the settings base_url, model, api_key_env and timeout. It does no I/O.
func NewJSONClient(base, path string, key Secret, connect time.Duration, keys map[string]string) (*JSONClient, error) {
	target, err := Endpoint(base, path)
	if err != nil {
		return nil, err
	}
	return &JSONClient{target, key, keys, httpClient(nil, connect)}, nil
}

// Close closes the connections that are idle.
func (d *JSONClient) Close() { d.http.CloseIdleConnections() }

// Post sends a body and returns what comes back, at most so many bytes. The error
// is an *Error.
func (d *JSONClient) Post(ctx context.Context, body []byte, most int64) ([]byte, error) {
	fail := func(e Error) *Error {
		c := Client{preset: Preset{APIKey: d.key, Keys: d.keys}}
		done := c.complete(&e)
		done.URL = shown(d.target)
		return done
	}
	broken := func(err error) error {
		switch {
		case errors.Is(ctx.Err(), context.DeadlineExceeded):
			return fail(Error{Kind: Timeout, Op: "ask", Message: "no answer in time", setting: "timeout", cause: ctx.Err()})
		case ctx.Err() != nil:
			return fail(*ended(ctx, "ask"))
		}
		return fail(Error{Kind: Network, Op: "ask", cause: withoutURL(err)})
	}
	r, err := newRequest(ctx, d.target, d.key, body)
	if err != nil {
		return nil, fail(Error{Kind: BadRequest, Op: "ask", cause: err})
	}
	r.Header.Set("Accept", "application/json")
	res, err := d.http.Do(r)
	if err != nil {
		return nil, broken(err)
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	if res.StatusCode/100 != 2 {
		head, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBody)) // what came of it is enough
		e := Error{Kind: kindOf(res.StatusCode), Op: "ask", Status: res.StatusCode, Message: strings.TrimSpace(string(head))}
		if f, ok := wire.FaultIn(head, true); ok && f.Message != "" {
			e.Message, e.Code = f.Message, f.Code
		}
		return nil, fail(e)
	}
	answer, err := io.ReadAll(io.LimitReader(res.Body, most+1))
	switch {
	case err != nil:
		return nil, broken(err)
	case int64(len(answer)) > most:
		return nil, fail(Error{Kind: Protocol, Op: "ask", Message: "the answer is too long"})
	}
	return bytes.TrimSpace(answer), nil
}
