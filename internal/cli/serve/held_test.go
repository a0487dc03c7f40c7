package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"ken/internal/acp"
	"ken/internal/agent/talk"
	"ken/internal/app"
	"ken/internal/attach"
	"ken/internal/fault"
	"ken/internal/llm/llmtest"
	"ken/internal/session"
	"ken/internal/telegram"
	"ken/internal/telegram/telegramtest"
	"ken/internal/web"
)

// A face holds conversations over a memory.
type face interface {
	// ask asks in a conversation that is begun with it, and waits for the answer.
	ask(question string)
	// close closes all of them.
	close()
}

// TestHeld: with a memory of 20,000 lines twelve conversations of one server cost at most 40 MB more than one, each with an answer; and
// what stays when they are closed is what stays of one.
func TestHeld(t *testing.T) { // not parallel: it measures the heap
	const lines, many, most, rest = 20_000, 12, 40 << 20, 4 << 20
	for name, open := range map[string]func(*testing.T, *app.App, func(string) string) face{
		"editor": newEditor, "page": newPage, "phone": newPhone,
	} {
		t.Run(name, func(t *testing.T) {
			model, home := llmtest.New(t), t.TempDir()
			model.Always(llmtest.Text("All right."))
			if err := os.WriteFile(filepath.Join(home, "memory.jsonl"), remembered(lines), 0o600); err != nil {
				t.Fatal(err)
			}
			env := map[string]string{"HOME": home, "KEN_HOME": home, "OPENAI_BASE_URL": model.URL, "KEN_MODEL": "test"}
			getenv := func(name string) string { return env[name] }
			memory := app.Open(app.Options{Getenv: getenv, Now: time.Now, Clock: time.Now, Local: []string{}})
			if err := memory.Check(); err != nil {
				t.Fatal(err)
			}
			held := func(n int) (open1, closed int64) {
				f := open(t, memory, getenv)
				for i := range n {
					f.ask(fmt.Sprintf("where is the switch of service %d?", i*lines/n+7))
				}
				open1 = live()
				f.close()
				return open1, live()
			}
			before := live()
			one, oneClosed := held(1)
			twelve, closed := held(many)
			t.Logf("before %d MB; one %d MB, closed %d MB; twelve %d MB, closed %d MB",
				before>>20, one>>20, oneClosed>>20, twelve>>20, closed>>20)
			if got := twelve - one; got > most {
				t.Errorf("%d conversations cost %d MB more than one, want at most %d", many, got>>20, most>>20)
			}
			if got := closed - oneClosed; got > rest {
				t.Errorf("%d MB stay of %d that are closed beside what stays of one, want at most %d", got>>20, many, rest>>20)
			}
			runtime.KeepAlive(memory)
			if n := len(model.Requests()); n < many+1 {
				t.Errorf("%d requests", n)
			}
			if err := memory.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// live is how much of the heap is in use.
func live() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // pools have a second life
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// remembered is a memory of n lines.
func remembered(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `{"id":%d,"ts":"2026-05-01T12:00:00Z","kind":"fact","content":"the switch of service %d is in rack %d of `+
			"the hall %d, behind the grey door; ask %d for the key\"}\n", i+1, i+1, i%97, i%13, i%1009)
	}
	return b.Bytes()
}

func warns(t *testing.T) func(error) { return func(err error) { t.Logf("warned: %v", err) } }

// An editor speaks the Agent Client Protocol.
type editor struct {
	t    *testing.T
	dir  string
	conn *sdk.Connection
	in   io.Closer
	done chan error
}

func newEditor(t *testing.T, memory *app.App, getenv func(string) string) face {
	toAgent, in := io.Pipe()
	out, toEditor := io.Pipe()
	e := &editor{t: t, dir: t.TempDir(), in: in, done: make(chan error, 1)}
	go func() {
		err := acp.Serve(t.Context(), acp.Options{Version: "test", Warn: warns(t), Talk: talk.Options{
			Memory: memory, Getenv: getenv, Warn: warns(t), Who: app.Actor{Kind: app.Person}, Channel: acp.Channel, Abrupt: true,
			FindProgram: func(name string) (string, error) { return "", fault.NotFoundf("no %s", name) },
		}}, toAgent, toEditor)
		_ = toEditor.Close()
		e.done <- err
	}()
	e.conn = sdk.NewConnection(func(context.Context, string, json.RawMessage) (any, *sdk.RequestError) { return nil, nil }, in, out)
	call[sdk.InitializeResponse](e, sdk.AgentMethodInitialize, sdk.InitializeRequest{ProtocolVersion: 1})
	return e
}

func call[R any](e *editor, method string, params any) R {
	e.t.Helper()
	r, err := sdk.SendRequest[R](e.conn, e.t.Context(), method, params)
	if err != nil {
		e.t.Fatal(err)
	}
	return r
}

func (e *editor) ask(question string) {
	begin := sdk.NewSessionRequest{Cwd: e.dir, McpServers: []sdk.McpServer{}}
	id := call[sdk.NewSessionResponse](e, sdk.AgentMethodSessionNew, begin).SessionId
	prompt := sdk.PromptRequest{SessionId: id, Prompt: []sdk.ContentBlock{sdk.TextBlock(question)}}
	if r := call[sdk.PromptResponse](e, sdk.AgentMethodSessionPrompt, prompt); r.StopReason != sdk.StopReasonEndTurn {
		e.t.Fatal(r.StopReason)
	}
}

func (e *editor) close() {
	_ = e.in.Close()
	if err := <-e.done; err != nil {
		e.t.Error(err)
	}
}

// A page is asked by its script.
type page struct {
	t *testing.T
	p *web.Page
}

func newPage(t *testing.T, memory *app.App, _ func(string) string) face {
	p, err := web.New(web.Options{
		Owner: web.OwnerOf(memory), Now: time.Now, Warn: warns(t), Talk: &talk.Options{Memory: memory, Warn: warns(t)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return page{t, p}
}

func (p page) do(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	p.p.ServeHTTP(w, r)
	return w
}

func (p page) ask(question string) {
	r := httptest.NewRequest(http.MethodPost, "/ask", strings.NewReader(url.Values{"text": {question}}.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("HX-Request", "true")
	at := p.do(r).Header().Get("HX-Redirect")
	for strings.HasPrefix(at, "/talk/") && p.t.Context().Err() == nil {
		if strings.Contains(p.do(httptest.NewRequest(http.MethodGet, at, nil)).Body.String(), "All right.") {
			return
		}
	}
	p.t.Fatalf("not asked: %q", at)
}

func (p page) close() { p.p.End(p.t.Context()) }

// A phone writes to a bot, in a topic of its own for each conversation.
type phone struct {
	t    *testing.T
	s    *telegramtest.Server
	n    int
	end  context.CancelFunc
	done chan error
}

func newPhone(t *testing.T, memory *app.App, _ func(string) string) face {
	ctx, cancel := context.WithCancel(t.Context())
	p := &phone{t: t, s: telegramtest.New(), end: cancel, done: make(chan error, 1)}
	dir := t.TempDir()
	pairing := telegram.Pairing{Path: filepath.Join(dir, "telegram.json"), Lock: dir, Now: time.Now}
	code, _, err := pairing.NewCode(ctx)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		p.done <- telegram.Run(ctx, telegram.Options{
			Token: telegramtest.Token(), API: "http://telegram.invalid", Client: p.s, Pairing: pairing, Now: time.Now,
			Open: func(id string) (telegram.Conversation, error) {
				return talk.Open(ctx, talk.Options{
					Memory: memory, Warn: warns(t), Session: id, OrNew: true, Channel: session.ChannelTelegram, Who: app.Actor{Kind: app.Person},
				})
			},
			Mask: func(s string) string { return s }, Stream: func() telegram.Stream { return plain{} }, Attach: attach.Reader{},
			Status: func(string, ...any) {}, Warn: warns(t),
		})
	}()
	p.s.Send(telegramtest.Text(1001, "/start "+code))
	p.answers(1)
	return p
}

// plain masks nothing.
type plain struct{}

func (plain) Write(piece string) string { return piece }
func (plain) Flush() string             { return "" }

func (p *phone) answers(n int) {
	if _, err := p.s.Wait(p.t.Context(), n, "sendMessage"); err != nil {
		p.t.Fatal(err)
	}
}

func (p *phone) ask(question string) {
	p.n++
	p.s.Send(telegramtest.Message(1001, fmt.Sprintf(`"text":%q,"is_topic_message":true,"message_thread_id":%d`, question, p.n)))
	p.answers(p.n + 1)
}

func (p *phone) close() {
	p.end()
	if err := <-p.done; err != nil {
		p.t.Error(err)
	}
}
