package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/llm"
	"ken/internal/llm/llmtest"
)

func TestRetryAfterBusy(t *testing.T) {
	t.Parallel()
	busy := func(status int, header ...string) llmtest.Script {
		s := llmtest.Error(status, "busy")
		for i := 0; i < len(header); i += 2 {
			s = s.With(header[i], header[i+1])
		}
		return s
	}
	ok := llmtest.Text("ok")
	quota := llmtest.JSON(`{"error":{"message":"no money","code":"insufficient_quota"}}`)
	quota.Status = http.StatusTooManyRequests
	for _, test := range []struct {
		name    string
		scripts []llmtest.Script
		waits   []time.Duration
		kind    llm.Kind // "" for success
	}{
		{"seconds", []llmtest.Script{busy(429, "Retry-After", "7"), ok}, []time.Duration{7 * time.Second}, ""},
		{"no header", []llmtest.Script{busy(503), ok}, []time.Duration{time.Second}, ""},
		{"milliseconds", []llmtest.Script{busy(429, "Retry-After-Ms", "250", "Retry-After", "1"), ok}, []time.Duration{250 * time.Millisecond}, ""},
		{"date", []llmtest.Script{busy(503, "Date", "Thu, 01 Jan 2026 00:00:00 GMT", "Retry-After", "Thu, 01 Jan 2026 00:00:20 GMT"), ok}, []time.Duration{20 * time.Second}, ""},
		{"nonsense", []llmtest.Script{busy(503, "Retry-After", "soon"), ok}, []time.Duration{time.Second}, ""},
		{"too long", []llmtest.Script{busy(429, "Retry-After", "31")}, nil, llm.RateLimit},
		{"twice", []llmtest.Script{busy(429, "Retry-After", "1"), busy(429, "Retry-After", "1")}, []time.Duration{time.Second}, llm.RateLimit},
		{"no money", []llmtest.Script{quota}, nil, llm.RateLimit},
		{"other errors", []llmtest.Script{busy(500, "Retry-After", "1")}, nil, llm.Server},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.New(t, test.scripts...)
			var told, slept []time.Duration
			c := llm.New(preset(s), llm.Options{
				OnWait: func(d time.Duration, cause *llm.Error) {
					told = append(told, d)
					if !strings.Contains(cause.Error(), "busy") {
						t.Errorf("waiting because of %v", cause)
					}
				},
				Sleep: func(_ context.Context, d time.Duration) error { slept = append(slept, d); return nil },
			})
			defer c.Close()
			_, err := c.Complete(t.Context(), question("q"))
			if d := cmp.Diff(test.waits, slept); d != "" || cmp.Diff(told, slept) != "" {
				t.Errorf("waited %v, told %v, want %v", slept, told, test.waits)
			}
			if n := len(s.Requests()); n != len(test.scripts) {
				t.Errorf("%d requests, want %d", n, len(test.scripts))
			}
			if test.kind == "" && err != nil {
				t.Error(err)
			}
			if test.kind != "" && failure(t, err).Kind != test.kind {
				t.Errorf("%v, want kind %s", err, test.kind)
			}
		})
	}
}

// Cancelling ends the wait.
func TestCancelWhileWaiting(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Error(503, "busy").With("Retry-After", "30"))
	ctx, cancel := context.WithCancel(t.Context())
	c := llm.New(preset(s), llm.Options{OnWait: func(time.Duration, *llm.Error) { cancel() }})
	defer c.Close()
	_, err := c.Complete(ctx, question("q"))
	if e := failure(t, err); e.Kind != llm.Cancelled || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// After the first token nothing is tried again.
func TestNoRetryAfterToken(t *testing.T) {
	t.Parallel()
	c, s := client(t, llmtest.Cut("a"))
	_, err := c.Complete(t.Context(), question("q"))
	if failure(t, err).Kind != llm.Incomplete || len(s.Requests()) != 1 {
		t.Errorf("%v after %d requests", err, len(s.Requests()))
	}
}

func TestLearns(t *testing.T) {
	t.Parallel()
	temperature := 0.2
	for _, test := range []struct {
		name     string
		status   int
		refusals []string // messages, one a request
		gone     []string // not in the last request
		there    []string
	}{
		{"temperature", 400, []string{"Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported."}, []string{"temperature"}, []string{"max_tokens", "stream_options", "mood"}},
		{"max_tokens", 400, []string{"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}, []string{`"max_tokens"`}, []string{`"max_completion_tokens":50`, "temperature"}},
		{"stream_options", 422, []string{"body.stream_options: Extra inputs are not permitted"}, []string{"stream_options"}, []string{"temperature", "max_tokens", `"stream":true`}},
		{"fields of answers", 400, []string{"'messages.1' : property 'reasoning_content' is unsupported"}, []string{"mood", "reasoning_content"}, []string{"temperature"}},
		{"all", 400, []string{"temperature", "unknown field stream_options", "max_tokens: unknown field"}, []string{"temperature", "stream_options", `"max_tokens"`}, []string{"max_completion_tokens"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.New(t)
			for _, r := range test.refusals {
				s.Add(llmtest.Error(test.status, r))
			}
			s.Always(llmtest.Text("ok"))
			p := preset(s)
			p.Temperature, p.MaxTokens = &temperature, 50
			c := llm.New(p, llm.Options{Sleep: noSleep})
			defer c.Close()
			req := question("q")
			req.Messages = append(req.Messages, llm.Message{Role: "assistant", Content: "a", Raw: map[string]json.RawMessage{"mood": json.RawMessage(`1`), "reasoning_content": json.RawMessage(`""`)}})
			a, err := c.Complete(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Warnings) != len(test.refusals) {
				t.Errorf("warnings %q", a.Warnings)
			}
			if _, err := c.Complete(t.Context(), req); err != nil {
				t.Fatal(err)
			}
			all := s.Requests()
			if len(all) != len(test.refusals)+2 {
				t.Fatalf("%d requests, want %d", len(all), len(test.refusals)+2)
			}
			for _, r := range all[len(test.refusals):] {
				for _, gone := range test.gone {
					if strings.Contains(string(r.Body), gone) {
						t.Errorf("%s still in %s", gone, r.Body)
					}
				}
				for _, there := range test.there {
					if !strings.Contains(string(r.Body), there) {
						t.Errorf("%s not in %s", there, r.Body)
					}
				}
			}
		})
	}
}

// A refusal that names nothing that was sent, or that cannot be helped by
// leaving it out, is not repeated.
func TestLearnsNothing(t *testing.T) {
	t.Parallel()
	temperature := 0.2
	for _, message := range []string{
		"temperature of the server is too high",
		"'max_tokens' or 'max_completion_tokens' is too large: 50. This model's maximum context length is 10 tokens.",
		"The `reasoning_content` in the thinking mode must be passed back to the API.",
		"registry.ollama.ai/library/x does not support tools",
	} {
		s := llmtest.New(t, llmtest.Error(400, message))
		p := preset(s)
		p.MaxTokens = 50
		if !strings.HasPrefix(message, "temperature") { // not sent, not the cause
			p.Temperature = &temperature
		}
		c := llm.New(p, llm.Options{Sleep: noSleep})
		_, err := c.Complete(t.Context(), question("q"))
		e := failure(t, err)
		if e.Kind != llm.BadRequest || len(s.Requests()) != 1 {
			t.Errorf("%v after %d requests", err, len(s.Requests()))
		}
		if e.TooLong() != strings.Contains(message, "context length") {
			t.Errorf("TooLong is %v of %q", e.TooLong(), message)
		}
		c.Close()
	}
}

// Turns use one connection, with and without an end mark.
func TestKeepAlive(t *testing.T) {
	t.Parallel()
	c, s := client(t)
	s.Always(llmtest.Text("ok"))
	var fresh atomic.Int32
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) {
		if !i.Reused {
			fresh.Add(1)
		}
	}})
	for i := range 5 {
		if _, err := c.Complete(ctx, question(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
		c.WaitDrained()
	}
	if n := fresh.Load(); n != 1 {
		t.Errorf("%d connections for 5 turns, want 1", n)
	}
}

// A kept connection that the server closed meanwhile costs nothing: the request
// is sent again over a new one.
func TestStaleConnection(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	body := `{"choices":[{"message":{"content":"ok"},"finish_reason":"x"}]}`
	var conns atomic.Int32
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			n := conns.Add(1)
			go func() {
				defer func() { _ = conn.Close() }()
				buf := make([]byte, 4096)
				if _, err := conn.Read(buf); err != nil {
					return
				}
				_, _ = fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
				if n == 1 {
					_, _ = conn.Read(buf) // the next request comes, and the connection goes
				}
			}()
		}
	}()
	c := llm.New(llm.Preset{Name: "fast", BaseURL: "http://" + l.Addr().String(), Model: "m"}, llm.Options{})
	defer c.Close()
	for range 2 {
		if a, err := c.Complete(t.Context(), question("q")); err != nil || a.Message.Content != "ok" {
			t.Fatalf("%q, %v", a.Message.Content, err)
		}
	}
	if n := conns.Load(); n != 2 {
		t.Errorf("%d connections, want 2", n)
	}
}

// A refused connection is told at once.
func TestRefusedNotRetried(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	c := llm.New(llm.Preset{BaseURL: "http://" + l.Addr().String(), Model: "m"}, llm.Options{
		Sleep: func(context.Context, time.Duration) error { t.Error("waited"); return nil },
	})
	if _, err := c.Complete(t.Context(), question("q")); failure(t, err).Kind != llm.Network {
		t.Error(err)
	}
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	key := "sk-" + strings.Repeat("a1B2", 10)
	elsewhere := llmtest.New(t)
	elsewhere.Always(llmtest.Text("stolen"))
	redirect := func(status int, to string) llmtest.Script {
		s := llmtest.Raw()
		s.Status = status
		return s.With("Location", to)
	}
	for _, status := range []int{301, 302, 303, 307, 308} {
		s := llmtest.New(t, redirect(status, elsewhere.URL+"/v1/chat/completions?key="+key))
		p := preset(s)
		p.APIKey = llm.NewSecret(key)
		c := llm.New(p, llm.Options{})
		_, err := c.Complete(t.Context(), question("q"))
		e := failure(t, err)
		if e.Kind != llm.Protocol || !strings.Contains(err.Error(), "redirected to "+elsewhere.URL) || strings.Contains(err.Error(), key) {
			t.Errorf("%d: %v", status, err)
		}
		c.Close()
	}
	if n := len(elsewhere.Requests()); n != 0 {
		t.Errorf("%d requests reached the other host", n)
	}
	// To the same place, with the same method, is fine.
	c, s := client(t, redirect(308, "/v1/other"), llmtest.Text("ok"))
	if a, err := c.Complete(t.Context(), question("q")); err != nil || a.Message.Content != "ok" {
		t.Errorf("%q, %v", a.Message.Content, err)
	}
	if got := s.Requests()[1]; got.Path != "/v1/other" || len(got.Body) == 0 {
		t.Errorf("redirected to %s with %d bytes", got.Path, len(got.Body))
	}
}
