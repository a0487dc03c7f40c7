package llm_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ken/internal/llm"
	"ken/internal/llm/llmtest"
)

// A timed server says its pieces after pauses, on the clock of a bubble, where
// no loopback can be used.
type timed []pause

type pause struct {
	before time.Duration
	say    string
}

func (s timed) RoundTrip(r *http.Request) (*http.Response, error) {
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return nil, err
	}
	out, in := io.Pipe()
	stop := context.AfterFunc(r.Context(), func() { _ = in.CloseWithError(context.Cause(r.Context())) })
	go func() {
		// Stopping may come before the function that closes the pipe has begun.
		defer func() {
			if stop() && r.Context().Err() != nil {
				_ = in.CloseWithError(context.Cause(r.Context()))
			}
		}()
		for _, p := range s {
			select {
			case <-time.After(p.before):
			case <-r.Context().Done():
				return
			}
			if _, err := in.Write([]byte(p.say)); err != nil {
				return
			}
		}
		if r.Context().Err() == nil {
			_ = in.Close()
		}
	}()
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: out, Request: r}, nil
}

func repeat(n int, p pause) (out timed) {
	for range n {
		out = append(out, p)
	}
	return out
}

// Every byte breaks the silence, comments included; the limits are of silence,
// not of the answer.
func TestCommentsKeepAlive(t *testing.T) {
	const (
		second  = time.Second
		comment = ": keep-alive\n\n"
		never   = 1000 * time.Hour
	)
	end := llmtest.Finish("stop") + llmtest.Done
	for _, test := range []struct {
		name   string
		server timed
		took   time.Duration
		text   string
		limit  string // the setting that ends the call, "" for success
	}{
		{"comments before the first token", append(repeat(50, pause{9 * second, comment}), pause{9 * second, llmtest.Token("a") + end}), 459 * second, "a", ""},
		{"no comments", timed{{9 * second, comment}, {never, ""}}, 19 * second, "", "first_token_timeout"},
		{"the role is no token", timed{{second, llmtest.Delta(`{"role":"assistant"}`)}, {9 * second, llmtest.Token("a") + end}}, 10 * second, "a", ""},
		{"slow tokens", append(repeat(50, pause{2 * second, llmtest.Token("a")}), pause{2 * second, end}), 102 * second, strings.Repeat("a", 50), ""},
		{"comments between tokens", append(timed{{0, llmtest.Token("a")}}, append(repeat(9, pause{2 * second, comment}), pause{0, llmtest.Token("b") + end})...), 18 * second, "ab", ""},
		{"silence between tokens", timed{{second, llmtest.Token("a")}, {never, ""}}, 4 * second, "a", "idle_timeout"},
		{"heartbeats after the finish", append(timed{{second, llmtest.Token("a") + llmtest.Finish("stop")}}, repeat(1000, pause{second, comment})...), 6 * second, "a", ""},
		{"late usage after the finish", timed{{second, llmtest.Token("a") + llmtest.Finish("stop")}, {4 * second, llmtest.Usage(3, 1)}, {never, ""}}, 6 * second, "a", ""},
		{"content after the finish", timed{{second, llmtest.Token("a") + llmtest.Finish("stop")}, {4 * second, llmtest.Token("b")}, {4 * second, llmtest.Token("c")}, {never, ""}}, 14 * second, "abc", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := llm.New(llm.Preset{
					Name: "fast", BaseURL: "http://model.invalid", Model: "m",
					FirstTokenTimeout: 10 * second, IdleTimeout: 3 * second,
				}, llm.Options{HTTP: &http.Client{Transport: test.server}})
				defer c.Close()
				start := time.Now()
				a, err := c.Complete(t.Context(), question("q"))
				// The clock of a bubble moves only while all wait: it is exact.
				if took := time.Since(start); took != test.took {
					t.Errorf("took %v, want %v", took, test.took)
				}
				if a.Message.Content != test.text {
					t.Errorf("text %q, want %q", a.Message.Content, test.text)
				}
				if test.limit == "" && err != nil {
					t.Error(err)
				}
				if test.limit != "" && (failure(t, err).Kind != llm.Timeout || !strings.Contains(err.Error(), test.limit)) {
					t.Errorf("%v, want %s", err, test.limit)
				}
			})
		})
	}
}

// A server that says [DONE] and keeps the body open costs the caller nothing.
func TestDoneDoesNotWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := llm.New(llm.Preset{BaseURL: "http://model.invalid", Model: "m"}, llm.Options{
			HTTP: &http.Client{Transport: timed{{0, llmtest.Token("a") + llmtest.Finish("stop") + llmtest.Done}, {time.Hour, ""}}},
		})
		start := time.Now()
		if a, err := c.Complete(t.Context(), question("q")); err != nil || a.Message.Content != "a" {
			t.Errorf("%q, %v", a.Message.Content, err)
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("took %v", took)
		}
		c.Close()
		if took := time.Since(start); took != time.Second {
			t.Errorf("the connection was read for %v, want a second", took)
		}
	})
}

// What a body costs does not depend on how the transport ends it.
func TestBodyThatFailsToRead(t *testing.T) {
	t.Parallel()
	errLost := errors.New("lost")
	for _, body := range []string{llmtest.Token("a"), ""} {
		c := llm.New(llm.Preset{BaseURL: "http://model.invalid", Model: "m"}, llm.Options{HTTP: &http.Client{Transport: failing{body, errLost}}})
		a, err := c.Complete(t.Context(), question("q"))
		e := failure(t, err)
		if !errors.Is(err, errLost) || (e.Kind == llm.Incomplete) != (body != "") || (a.Message.Content == "a") != (body != "") {
			t.Errorf("%q: %v, %+v", body, err, a)
		}
	}
}

type failing struct {
	body string
	err  error
}

func (f failing) RoundTrip(r *http.Request) (*http.Response, error) {
	body := io.MultiReader(bytes.NewReader([]byte(f.body)), broken{f.err})
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(body), Request: r}, nil
}

type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }
