package llm_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/llm"
	"ken/internal/llm/llmtest"
)

// chainOf is a chain of servers with one script each, named a, b, c; a script with
// Status -1 stands for a model that cannot be opened. It writes down who failed
// and who was asked instead.
func chainOf(t *testing.T, told *[]string, scripts ...llmtest.Script) (*llm.Chain, []*llmtest.Server) {
	t.Helper()
	c := &llm.Chain{Failed: func(name string, err error, next string) {
		brief := err.Error()
		if e := (*llm.Error)(nil); errors.As(err, &e) {
			brief = e.Brief()
		}
		*told = append(*told, fmt.Sprintf("%s (%s) -> %s", name, brief, next))
	}}
	var servers []*llmtest.Server
	for i, script := range scripts {
		link := llm.Link{Name: string(rune('a' + i))}
		if script.Status == -1 {
			servers = append(servers, nil)
			link.Open = func() (*llm.Client, error) { return nil, errors.New("no key: $KEY is not set") }
		} else {
			s := llmtest.New(t, script)
			s.Always(script)
			servers = append(servers, s)
			p := llm.Preset{Name: link.Name, BaseURL: s.URL, Model: "m"}
			if script.End == llmtest.Hold {
				p.FirstTokenTimeout = 200 * time.Millisecond
			}
			client := llm.New(p, llm.Options{Sleep: noSleep})
			t.Cleanup(client.Close)
			link.Open = func() (*llm.Client, error) { return client, nil }
		}
		c.Links = append(c.Links, link)
	}
	return c, servers
}

// TestChain: the next model is asked only before the first token, and only for a
// fault of the one before it.
func TestChain(t *testing.T) {
	t.Parallel()
	unopened := llmtest.Script{Status: -1}
	ok, down := llmtest.Text("fine"), llmtest.Error(500, "boom")
	longWait := llmtest.Error(429, "busy").With("Retry-After", "20")
	inStream := llmtest.Raw(llmtest.Delta(`{"role":"assistant","content":""}`), `data: {"error":{"code":500,"message":"boom"}}`+"\n\n")
	for _, test := range []struct {
		name    string
		scripts []llmtest.Script
		told    []string
		preset  string // that answered
		content string
		err     string // in the error; "" for none
		asked   int    // models that got the request
	}{
		{"the first answers", []llmtest.Script{ok, down}, nil, "a", "fine", "", 1},
		{"connection broken", []llmtest.Script{{End: llmtest.Break}, ok}, []string{"a (unexpected EOF) -> b"}, "b", "fine", "", 2},
		{"401", []llmtest.Script{llmtest.Error(401, "who?"), ok}, []string{"a (401 Unauthorized) -> b"}, "b", "fine", "", 2},
		{"402", []llmtest.Script{llmtest.Error(402, "pay"), ok}, []string{"a (402 Payment Required) -> b"}, "b", "fine", "", 2},
		{"404", []llmtest.Script{llmtest.Error(404, "no such model"), ok}, []string{"a (404 Not Found) -> b"}, "b", "fine", "", 2},
		{"429 with a long wait", []llmtest.Script{longWait, ok}, []string{"a (429 Too Many Requests) -> b"}, "b", "fine", "", 2},
		{"500", []llmtest.Script{down, ok}, []string{"a (500 Internal Server Error) -> b"}, "b", "fine", "", 2},
		{"error in the stream, before a token", []llmtest.Script{inStream, ok}, []string{"a (boom) -> b"}, "b", "fine", "", 2},
		{"page", []llmtest.Script{llmtest.Raw("<p>log in</p>").With("Content-Type", "text/html"), ok}, []string{"a (the answer holds no content, no tool call and no finish reason) -> b"}, "b", "fine", "", 2},
		{"no token in time", []llmtest.Script{llmtest.Hang(), ok}, []string{"a (no token for 200ms (first_token_timeout)) -> b"}, "b", "fine", "", 2},
		{"cannot be opened", []llmtest.Script{unopened, ok}, []string{"a (no key: $KEY is not set) -> b"}, "b", "fine", "", 1},
		{"two fail", []llmtest.Script{down, unopened, ok}, []string{"a (500 Internal Server Error) -> b", "b (no key: $KEY is not set) -> c"}, "c", "fine", "", 2},

		{"400", []llmtest.Script{llmtest.Error(400, "roles must alternate"), ok}, nil, "a", "", "roles must alternate", 1},
		{"too long, whatever the status", []llmtest.Script{llmtest.Error(500, "exceeds the context window"), ok}, nil, "a", "", "context window", 1},
		{"cut after a token", []llmtest.Script{llmtest.Cut("half"), ok}, nil, "a", "half", "broke before the end", 1},
		{"error after a token", []llmtest.Script{llmtest.Raw(llmtest.Token("half"), `data: {"error":{"code":500,"message":"boom"}}`+"\n\n"), ok}, nil, "a", "half", "boom", 1},
		{"cut after reasoning", []llmtest.Script{llmtest.Raw(llmtest.Delta(`{"reasoning_content":"hm"}`)), ok}, nil, "a", "", "after reasoning", 1},
		{"error in a tool call", []llmtest.Script{llmtest.Raw(llmtest.Delta(`{"tool_calls":[{"index":0,"id":"1","function":{"name":"f","arguments":"{"}}]}`), `data: {"error":{"message":"boom"}}`+"\n\n"), ok}, nil, "a", "", "boom", 1},

		{"all fail", []llmtest.Script{llmtest.Error(401, "who?"), down, unopened}, []string{"a (401 Unauthorized) -> b", "b (500 Internal Server Error) -> c", "c (no key: $KEY is not set) -> "}, "", "", "who?", 2},
		{"the only one fails", []llmtest.Script{down}, []string{"a (500 Internal Server Error) -> "}, "", "", "boom", 1},
		{"the last is refused", []llmtest.Script{down, llmtest.Error(400, "roles must alternate")}, []string{"a (500 Internal Server Error) -> b"}, "b", "", "roles must alternate", 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var told []string
			c, servers := chainOf(t, &told, test.scripts...)
			var shown strings.Builder
			a, err := c.Stream(t.Context(), question("hi"), func(d llm.Delta) error {
				shown.WriteString(d.Text)
				return nil
			})
			if test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
				t.Errorf("error %v, want %q in it", err, test.err)
			}
			if a.Preset != test.preset || a.Message.Content != test.content || shown.String() != test.content {
				t.Errorf("%q answered %q, shown %q", a.Preset, a.Message.Content, shown.String())
			}
			if diff := cmp.Diff(test.told, told); diff != "" {
				t.Errorf("told (-want +got):\n%s", diff)
			}
			asked := 0
			for _, s := range servers {
				if s != nil && len(s.Requests()) > 0 {
					asked++
				}
			}
			if asked != test.asked {
				t.Errorf("%d models got the request, want %d", asked, test.asked)
			}
		})
	}
}

// TestChainAllFail: the first error is the one that counts, and each has its
// line.
func TestChainAllFail(t *testing.T) {
	t.Parallel()
	var told []string
	c, _ := chainOf(t, &told, llmtest.Error(401, "who?"), llmtest.Error(500, "boom"))
	_, err := c.Stream(t.Context(), question("hi"), nil)
	if e := failure(t, err); e.Kind != llm.Auth || e.Preset != "a" {
		t.Errorf("the error that counts: %v", e)
	}
	if lines := strings.Split(err.Error(), "\n"); len(lines) != 2 || !strings.Contains(lines[0], "model a: ") || !strings.Contains(lines[1], "model b: ") {
		t.Errorf("%v", err)
	}
}

// TestChainStopped: what a person stops is stopped, and what the caller's own
// function breaks is broken; nobody else is asked.
func TestChainStopped(t *testing.T) {
	t.Parallel()
	var told []string
	more := make(chan struct{}) // never
	c, servers := chainOf(t, &told, llmtest.Text("late").Gate(1, more), llmtest.Text("fine"))
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		_, _ = servers[0].Await(1)
		cancel(cause)
	}()
	if _, err := c.Stream(ctx, question("hi"), nil); !errors.Is(err, cause) {
		t.Errorf("stopped: %v", err)
	}
	late, end := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer end()
	if _, err := c.Stream(late, question("hi"), nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("too late: %v", err)
	}
	broken, servers2 := chainOf(t, &told, llmtest.Text("fine"), llmtest.Text("fine"))
	if _, err := broken.Stream(t.Context(), question("hi"), func(llm.Delta) error { return cause }); !errors.Is(err, cause) {
		t.Errorf("broken: %v", err)
	}
	if len(told) != 0 || len(servers[1].Requests())+len(servers2[1].Requests()) != 0 {
		t.Errorf("another model was asked: %q", told)
	}
}

// TestBrief: a reason is a few words, from whatever depth.
func TestBrief(t *testing.T) {
	t.Parallel()
	c := llm.New(llm.Preset{Name: "a", BaseURL: "http://127.0.0.1:1", Model: "m"}, llm.Options{})
	_, err := c.Complete(t.Context(), question("hi"))
	if got := failure(t, err).Brief(); got != "connection refused" && !strings.Contains(got, "refused") { // Windows has more words for it
		t.Errorf("%q", got)
	}
	for want, e := range map[string]llm.Error{
		"rate limit":              {Kind: llm.RateLimit},
		"503 Service Unavailable": {Kind: llm.Server, Status: http.StatusServiceUnavailable, Message: "x"},
		"599":                     {Kind: llm.Server, Status: 599},
		"boom":                    {Kind: llm.Server, Status: 200, Message: "boom"},
	} {
		if got := e.Brief(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := (&llm.Error{Message: strings.Repeat("x", 1000)}).Brief(); len(got) > 100 {
		t.Errorf("%d bytes", len(got))
	}
}

// TestHintKeys: hints call a setting what it is called where the preset came from.
func TestHintKeys(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Error(401, "who?"), llmtest.Error(404, "no such model"), llmtest.Error(401, "who?"))
	p := preset(s)
	p.Keys = map[string]string{"base_url": "OPENAI_BASE_URL", "model": "KEN_MODEL", "api_key_env": "OPENAI_API_KEY", "api_key_file": "OPENAI_API_KEY"}
	c := llm.New(p, llm.Options{Sleep: noSleep})
	for _, want := range []string{"check OPENAI_API_KEY", "check KEN_MODEL and OPENAI_BASE_URL"} {
		_, err := c.Complete(t.Context(), question("hi"))
		if got := failure(t, err).Hint(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	_, err := llm.New(preset(s), llm.Options{Sleep: noSleep}).Complete(t.Context(), question("hi"))
	if got := failure(t, err).Hint(); got != "check models.fast.api_key_env or models.fast.api_key_file" {
		t.Errorf("%q", got)
	}
}
