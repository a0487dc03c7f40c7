package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/llm"
	"ken/internal/llm/llmtest"
)

// Visible streaming: the first piece is shown before the second one is sent.
func TestS1LiveTokens(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	c, _ := client(t, llmtest.Text("Hel", "lo").Gate(2, gate))
	var shown []string
	a, err := c.Stream(t.Context(), question("hi"), func(d llm.Delta) error {
		shown = append(shown, d.Text)
		if d.Text == "Hel" {
			close(gate)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"Hel", "lo"}, shown); d != "" {
		t.Error(d)
	}
	if a.Message.Content != "Hello" || a.Message.Role != "assistant" || a.Finish != "stop" || a.Truncated {
		t.Errorf("answer %+v", a)
	}
	if a.Usage == nil || a.Usage.Total != 12 || a.Model != "test" || a.Events != 6 || a.Bytes == 0 {
		t.Errorf("usage %+v, model %q, %d events, %d bytes", a.Usage, a.Model, a.Events, a.Bytes)
	}
}

// S2: everything hostile in one stream. Text exact, one warning, no crash.
func TestS2HostileSSE(t *testing.T) {
	t.Parallel()
	emoji := "\U0001F600"
	token := llmtest.Token("b" + emoji + "c")
	cut := strings.Index(token, emoji) + 2
	c, _ := client(t, llmtest.Raw(
		": OPENROUTER PROCESSING\r\n\r\n",
		"data: {\"choices\":[],\"usage\":null}\r\n\r\n",
		strings.ReplaceAll(llmtest.Delta(`{"role":"assistant"}`), "\n", "\r\n"),
		strings.Replace(llmtest.Token("a"), "data: ", "data:", 1),
		token[:cut], token[cut:],
		"data: {\"choices\": [{\"delta\": {\"content\": oops}}]}\n\n",
		": ping\n\n",
		llmtest.Token("d"), llmtest.Finish("stop"), llmtest.Usage(3, 4),
	))
	a, err := c.Complete(t.Context(), question("hi"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "ab" + emoji + "cd"; a.Message.Content != want {
		t.Errorf("text %q, want %q", a.Message.Content, want)
	}
	if len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0], "oops") {
		t.Errorf("warnings %q, want one", a.Warnings)
	}
	if a.Usage == nil || a.Usage.Total != 7 {
		t.Errorf("usage %+v", a.Usage)
	}
}

// S3: the endpoint is down, refuses, and breaks in the middle.
func TestS3Failures(t *testing.T) {
	t.Parallel()
	key := "sk-" + strings.Repeat("a1B2", 10)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	down := "http://" + l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	s := llmtest.New(t,
		llmtest.Error(http.StatusUnauthorized, "bad key "+key+" \x1b[31mred"),
		llmtest.Raw(llmtest.Token("par"), llmtest.Token("tial"), `data: {"error":{"code":500,"message":"boom"}}`+"\n\n"),
	)
	for _, test := range []struct {
		name, base string
		want       llm.Error
		contains   []string
		partial    string
	}{
		{"down", down, llm.Error{Kind: llm.Network, Op: "connect"}, []string{down + "/v1/chat/completions", "refused"}, ""},
		{"401", s.URL, llm.Error{Kind: llm.Auth, Status: 401}, []string{s.URL, "401 Unauthorized", "bad key [key] [31mred"}, ""},
		{"500 in the middle", s.URL, llm.Error{Kind: llm.Server, Status: 200, Code: "500"}, []string{s.URL, "boom (500)"}, "partial"},
	} {
		c := llm.New(llm.Preset{Name: "fast", BaseURL: test.base + "/v1/?token=" + key, Model: "m", APIKey: llm.NewSecret(key)}, llm.Options{Sleep: noSleep})
		t.Cleanup(c.Close)
		a, err := c.Complete(t.Context(), question("hi"))
		e := failure(t, err)
		if e.Kind != test.want.Kind || e.Status != test.want.Status || e.Code != test.want.Code && test.want.Code != "" || test.want.Op != "" && e.Op != test.want.Op {
			t.Errorf("%s: %#v", test.name, e)
		}
		for _, part := range append(test.contains, "model fast: ") {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not contain %q", test.name, err, part)
			}
		}
		if strings.Contains(err.Error()+e.Head+e.Message+e.Hint(), key) || strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("%s: error shows what it must not: %q", test.name, err)
		}
		if e.Hint() == "" && test.name != "500 in the middle" {
			t.Errorf("%s: no hint", test.name)
		}
		if a.Message.Content != test.partial || (e.Partial != nil) != (test.partial != "") {
			t.Errorf("%s: answer %q, Partial %v", test.name, a.Message.Content, e.Partial)
		}
	}
}

func TestR21Request(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Text("a"))
	temperature := 0.2
	p := preset(s)
	p.Temperature, p.MaxTokens, p.APIKey = &temperature, 77, llm.NewSecret("k\n")
	c := llm.New(p, llm.Options{})
	t.Cleanup(c.Close)
	req := question(`<q> & "é"` + "\n\x01\xff")
	body, err := c.Body(req)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Complete(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	got := s.Requests()[0]
	if string(got.Body) != string(body) {
		t.Errorf("Body is %s\nsent was %s", body, got.Body)
	}
	want := `{"model":"test","stream":true,"stream_options":{"include_usage":true},"temperature":0.2,"max_tokens":77,` +
		`"messages":[{"role":"user","content":"<q> & \"é\"\n\u0001` + "\ufffd" + `"}]}`
	if string(body) != want {
		t.Errorf("body\n%s\nwant\n%s", body, want)
	}
	if got.Method != "POST" || got.Path != "/v1/chat/completions" || got.Header.Get("Authorization") != "Bearer k" || got.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s %s %v", got.Method, got.Path, got.Header)
	}
	if got.Header.Get("Accept-Encoding") != "" {
		t.Error("asks for compression")
	}
}

func TestBodyMessages(t *testing.T) {
	t.Parallel()
	c := llm.New(llm.Preset{Model: "m"}, llm.Options{})
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	req := llm.Request{
		Tools: []json.RawMessage{raw(`{"type":"function","function":{"name":"f"}}`)},
		Messages: []llm.Message{
			{Role: "user", Content: "q"},
			{Role: "assistant", Raw: map[string]json.RawMessage{"z": raw(`1`), "reasoning_content": raw(`"hm"`), "content": raw(`"no"`)}, ToolCalls: []llm.ToolCall{
				{ID: "1", Name: "f", Arguments: `{"x":1}`, Extra: map[string]json.RawMessage{"extra_content": raw(`{"s":"<"}`), "function": raw(`{"strict":true}`)}},
				{ID: "2", Name: "g", Arguments: `{"x":`, Problem: "broken"},
			}},
			{Role: "tool", ToolCallID: "1", Content: ""},
		},
	}
	got, err := c.Body(req)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"model":"m","stream":true,"stream_options":{"include_usage":true},"tools":[{"type":"function","function":{"name":"f"}}],"messages":[` +
		`{"role":"user","content":"q"},` +
		`{"role":"assistant","content":"","tool_calls":[` +
		`{"id":"1","type":"function","function":{"name":"f","arguments":"{\"x\":1}","strict":true},"extra_content":{"s":"<"}},` +
		`{"id":"2","type":"function","function":{"name":"g","arguments":"{}"}}],"reasoning_content":"hm","z":1},` +
		`{"role":"tool","content":"","tool_call_id":"1"}]}`
	if string(got) != want {
		t.Errorf("body\n%s\nwant\n%s", got, want)
	}
	for range 20 {
		if again, _ := c.Body(req); string(again) != want {
			t.Fatalf("another time the body is %s", again)
		}
	}
	req.Tools = []json.RawMessage{raw(`{`)}
	if _, err := c.Body(req); failure(t, err).Kind != llm.BadRequest {
		t.Errorf("a broken tool gives %v", err)
	}
}

// What a message of an answer held goes back to the server as it came, also
// over a record of the session.
func TestRawFieldsGoBack(t *testing.T) {
	t.Parallel()
	call := `{"index":0,"id":"i1","type":"function","function":{"name":"f","arguments":"{\"x\":1}"},"extra_content":{"google":{"thought_signature":"c2ln<"}}}`
	c, s := client(t, llmtest.Raw(
		llmtest.Delta(`{"role":"assistant","content":null,"reasoning_content":"h"}`), llmtest.Delta(`{"reasoning_content":"m"}`),
		llmtest.Delta(`{"tool_calls":[`+call+`]}`), llmtest.Finish("tool_calls"), llmtest.Done), llmtest.Text("ok"))
	a, err := c.Complete(t.Context(), question("q"))
	if err != nil {
		t.Fatal(err)
	}
	record := llm.MarshalToolCalls(a.Message.ToolCalls)
	calls, err := llm.ParseToolCalls(record)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(a.Message.ToolCalls, calls); d != "" {
		t.Errorf("calls changed on the way through a record: %s", d)
	}
	m := a.Message
	m.ToolCalls = calls
	req := llm.Request{Messages: []llm.Message{m}, Tools: []json.RawMessage{json.RawMessage(`{}`)}}
	if _, err := c.Complete(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	want := `{"role":"assistant","content":"","tool_calls":[{"id":"i1","type":"function","function":{"name":"f","arguments":"{\"x\":1}"},"extra_content":{"google":{"thought_signature":"c2ln<"}}}],"reasoning_content":"hm"}`
	if body := string(s.Requests()[1].Body); !strings.Contains(body, want) {
		t.Errorf("sent %s\nwant in it %s", body, want)
	}
}

// A made-up id is not one that the conversation has already.
func TestMadeUpIDs(t *testing.T) {
	t.Parallel()
	script := llmtest.Call("", "f", "{}")
	c, _ := client(t, script, script, script)
	req := question("q")
	seen := map[string]bool{}
	for range 3 {
		a, err := c.Complete(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		id := a.Message.ToolCalls[0].ID
		if seen[id] || len(id) != 9 {
			t.Errorf("id %q, after %v", id, seen)
		}
		seen[id] = true
		req.Messages = append(req.Messages, a.Message)
	}
}

// R26: the call that shows nothing gives the same answer.
func TestR26Complete(t *testing.T) {
	t.Parallel()
	c, _ := client(t, llmtest.Text("a", "b"), llmtest.Text("a", "b"))
	var shown string
	a, err := c.Stream(t.Context(), question("q"), func(d llm.Delta) error { shown += d.Text; return nil })
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Complete(t.Context(), question("q"))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(a, b); d != "" || shown != "ab" {
		t.Errorf("shown %q; %s", shown, d)
	}
}

// R31: an error or a panic of the callback ends the call, and nothing else.
func TestR31Callback(t *testing.T) {
	t.Parallel()
	errShow := errors.New("terminal is gone")
	for name, show := range map[string]func(llm.Delta) error{
		"error":          func(llm.Delta) error { return errShow },
		"panic":          func(llm.Delta) error { panic("terminal is gone") },
		"panic an error": func(llm.Delta) error { panic(errShow) },
	} {
		c, _ := client(t, llmtest.Hang("a", "b"), llmtest.Text("ok"))
		a, err := c.Stream(t.Context(), question("q"), show)
		e := failure(t, err)
		if e.Kind != llm.Callback || !strings.Contains(err.Error(), "terminal is gone") || a.Message.Content != "a" || e.Partial == nil {
			t.Errorf("%s: %v, answer %q", name, err, a.Message.Content)
		}
		if name != "panic" && !errors.Is(err, errShow) {
			t.Errorf("%s: the cause is lost", name)
		}
		if a, err := c.Complete(t.Context(), question("q")); err != nil || a.Message.Content != "ok" {
			t.Errorf("%s: the next call gives %q, %v", name, a.Message.Content, err)
		}
	}
	// The last piece is shown after the end of the stream: a tag that never was.
	c, _ := client(t, llmtest.Raw(llmtest.Token("a<th"), llmtest.Finish("stop"), llmtest.Done))
	_, err := c.Stream(t.Context(), question("q"), func(d llm.Delta) error {
		if d.Text == "<th" {
			return errShow
		}
		return nil
	})
	if !errors.Is(err, errShow) {
		t.Errorf("at the end: %v", err)
	}
}

// A cancelled call ends at once, with what had come, however long the server is.
func TestCancel(t *testing.T) {
	t.Parallel()
	errWhy := errors.New("ctrl-c")
	c, _ := client(t, llmtest.Hang("par", "tial"), llmtest.Script{End: llmtest.Hold})
	ctx, cancel := context.WithCancelCause(t.Context())
	a, err := c.Stream(ctx, question("q"), func(d llm.Delta) error {
		if d.Text == "tial" {
			cancel(errWhy)
		}
		return nil
	})
	e := failure(t, err)
	if e.Kind != llm.Cancelled || !errors.Is(err, errWhy) || a.Message.Content != "partial" || e.Partial == nil {
		t.Errorf("%v, answer %+v", err, a)
	}
	// Before the first token, while the call is blocked in a read.
	ctx, cancel2 := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel2()
	_, err = c.Complete(ctx, question("q"))
	if e := failure(t, err); e.Kind != llm.Timeout || !errors.Is(err, context.DeadlineExceeded) || e.Partial != nil {
		t.Errorf("deadline: %v", err)
	}
	ctx, cancel3 := context.WithCancel(t.Context())
	cancel3()
	if _, err = c.Complete(ctx, question("q")); failure(t, err).Kind != llm.Cancelled || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: %v", err)
	}
}

func TestTimeouts(t *testing.T) {
	t.Parallel()
	const short = 30 * time.Millisecond
	stuck, err := net.Listen("tcp", "127.0.0.1:0") // accepts, and says nothing
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stuck.Close() })
	for _, test := range []struct {
		name    string
		script  llmtest.Script
		change  func(*llm.Preset)
		setting string
		partial string
	}{
		{"connect", llmtest.Script{}, func(p *llm.Preset) {
			p.ConnectTimeout, p.BaseURL = short, "https://"+stuck.Addr().String()
		}, "connect_timeout", ""},
		{"no answer", llmtest.Script{}, func(p *llm.Preset) {
			p.FirstTokenTimeout, p.BaseURL = short, "http://"+stuck.Addr().String()
		}, "first_token_timeout", ""},
		{"no token", llmtest.Hang(), func(p *llm.Preset) { p.FirstTokenTimeout, p.IdleTimeout = short, time.Hour }, "first_token_timeout", ""},
		{"idle", llmtest.Hang("a"), func(p *llm.Preset) { p.FirstTokenTimeout, p.IdleTimeout = time.Hour, short }, "idle_timeout", "a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := llmtest.New(t, test.script)
			p := preset(s)
			test.change(&p)
			c := llm.New(p, llm.Options{})
			defer c.Close()
			a, err := c.Complete(t.Context(), question("q"))
			e := failure(t, err)
			if e.Kind != llm.Timeout || !strings.Contains(err.Error(), test.setting) || !strings.Contains(e.Hint(), "models.fast."+test.setting) {
				t.Errorf("%v (hint %q)", err, e.Hint())
			}
			if a.Message.Content != test.partial || (e.Partial != nil) != (test.partial != "") {
				t.Errorf("answer %q, Partial %v", a.Message.Content, e.Partial)
			}
		})
	}
}

// A server that says HTTP/2 and resets the stream in the middle.
func TestHTTP2Reset(t *testing.T) {
	t.Parallel()
	cut := make(chan struct{})
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			t.Errorf("protocol %s", r.Proto)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, llmtest.Token("a"))
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		<-cut
		panic(http.ErrAbortHandler)
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	c := llm.New(llm.Preset{Name: "fast", BaseURL: s.URL, Model: "m"}, llm.Options{HTTP: s.Client()})
	a, err := c.Stream(t.Context(), question("q"), func(llm.Delta) error { close(cut); return nil })
	if e := failure(t, err); e.Kind != llm.Incomplete || a.Message.Content != "a" || e.Partial == nil || !a.Truncated {
		t.Errorf("%v, answer %+v", err, a)
	}
}
