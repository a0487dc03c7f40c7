package llmtest_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/llm/llmtest"
)

func post(t *testing.T, s *llmtest.Server, body string) (*http.Response, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/v1/chat/completions?a=b", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return http.DefaultClient.Do(r)
}

// say posts and returns status, content type and body.
func say(t *testing.T, s *llmtest.Server, body string) (status int, contentType, answer string, err error) {
	t.Helper()
	res, err := post(t, s, body)
	if err != nil {
		return 0, "", "", err
	}
	defer func() { _ = res.Body.Close() }()
	all, err := io.ReadAll(res.Body)
	return res.StatusCode, res.Header.Get("Content-Type"), string(all), err
}

func TestScripts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name        string
		script      llmtest.Script
		status      int
		contentType string
		body        string // exact, or with "..." at the end the beginning
	}{
		{"raw", llmtest.Raw("a", "b\r\n"), 200, "text/event-stream", "ab\r\n"},
		{"repeat", llmtest.Script{Steps: []llmtest.Step{{Write: "ab", Repeat: 3}}}, 200, "text/event-stream", "ababab"},
		{"error", llmtest.Error(500, `no "luck"`), 500, "application/json", `{"error":{"message":"no \"luck\"","type":"test_error"}}`},
		{"json", llmtest.JSON(`{}`).With("X-A", "b"), 200, "application/json", `{}`},
		{"other type", llmtest.Raw("<p>").With("content-type", "text/html"), 200, "text/html", "<p>"},
		{"text", llmtest.Text("a"), 200, "text/event-stream", llmtest.Delta(`{"role":"assistant","content":""}`) + llmtest.Token("a") + llmtest.Finish("stop") + llmtest.Usage(10, 1) + llmtest.Done},
	} {
		status, contentType, body, err := say(t, llmtest.New(t, test.script), "{}")
		if err != nil || status != test.status || contentType != test.contentType || body != test.body {
			t.Errorf("%s: %d %s %q, %v", test.name, status, contentType, body, err)
		}
	}
	if _, _, body, err := say(t, llmtest.New(t, llmtest.Cut("a")), "{}"); err == nil || body != llmtest.Token("a") {
		t.Errorf("cut: %q, %v", body, err)
	}
}

func TestOrderAndRecord(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Raw("1"), llmtest.Raw("2"))
	s.Add(llmtest.Raw("3"))
	s.Reply(func(r llmtest.Request) llmtest.Script { return llmtest.Raw("re: " + string(r.Body)) })
	var got []string
	for _, q := range []string{"a", "b", "c", "d", `{"messages":[{"role":"user","content":"e"},{"role":"assistant","content":null}]}`} {
		_, _, body, err := say(t, s, q)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, body)
	}
	if d := cmp.Diff([]string{"1", "2", "3", "re: d"}, got[:4]); d != "" {
		t.Error(d)
	}
	reqs, err := s.Await(5)
	if err != nil {
		t.Fatal(err)
	}
	last := reqs[4]
	if last.Method != "POST" || last.Path != "/v1/chat/completions" || last.Query != "a=b" || last.Header.Get("User-Agent") == "" {
		t.Errorf("recorded %+v", last)
	}
	if d := cmp.Diff([]llmtest.Message{{Role: "user", Content: "e"}, {Role: "assistant"}}, last.Messages()); d != "" {
		t.Error(d)
	}
	if reqs[0].Messages() != nil {
		t.Error("messages of what is no JSON")
	}
}

// A gate holds a step back, Sent tells that it went out, and a client that goes
// away or a server that stops ends a script that hangs.
func TestGates(t *testing.T) {
	t.Parallel()
	gate, sent := make(chan struct{}), make(chan struct{})
	script := llmtest.Raw("a", "b").Gate(1, gate)
	script.Steps[0].Sent = sent
	s := llmtest.New(t, script, llmtest.Hang("c"), llmtest.Hang("d"))
	res, err := post(t, s, "{}")
	if err != nil {
		t.Fatal(err)
	}
	<-sent
	close(gate)
	if all, err := io.ReadAll(res.Body); string(all) != "ab" || err != nil {
		t.Errorf("%q, %v", all, err)
	}
	_ = res.Body.Close()
	if res, err = post(t, s, "{}"); err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close() // the client goes
	if res, err = post(t, s, "{}"); err != nil {
		t.Fatal(err)
	}
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
	if _, err := io.ReadAll(res.Body); err == nil {
		t.Error("a stopped server ended the body in order")
	}
	_ = res.Body.Close()
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
	if _, err := s.Await(9); err == nil {
		t.Error("waiting for a stopped server ends well")
	}
}

func TestModels(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t)
	s.Models("a", "b")
	s.Describe(`"context_length":1000`)
	for path, want := range map[string]string{
		"/v1/models": `{"object":"list","data":[{"object":"model","id":"a","context_length":1000},` +
			`{"object":"model","id":"b","context_length":1000}]}` + "\n",
		"/other": "404 page not found\n",
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(res.Body); string(body) != want || err != nil {
			t.Errorf("%s: %q, %v", path, body, err)
		}
		_ = res.Body.Close()
	}
	if len(s.Requests()) != 0 {
		t.Error("a list of models counts as a question")
	}
}

// A fake test that keeps what it is reported.
type fakeTB struct {
	testing.TB
	errors   int
	cleanups []func()
}

func (f *fakeTB) Helper()               {}
func (f *fakeTB) Errorf(string, ...any) { f.errors++ }
func (f *fakeTB) Fatal(...any)          { panic(errors.New("fatal")) }
func (f *fakeTB) Cleanup(c func())      { f.cleanups = append(f.cleanups, c) }

// A request for which there is no script fails the test.
func TestNoScriptLeft(t *testing.T) {
	t.Parallel()
	fake := &fakeTB{TB: t}
	s := llmtest.New(fake)
	status, _, body, err := say(t, s, "{}")
	if status != 500 || !strings.Contains(body, "no script is left") || err != nil {
		t.Errorf("%d %s, %v", status, body, err)
	}
	for _, c := range fake.cleanups {
		c()
	}
	if fake.errors != 1 {
		t.Errorf("the test was told %d errors, want 1", fake.errors)
	}
}
