package discover

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"ken/internal/llm/llmtest"
)

// patient is a limit that nothing here reaches unless it hangs: tests of what
// hangs have a short one of their own.
const patient = 30 * time.Second

// listen gives what arrives at an address of this machine to serve, one
// connection at a time, and tells the address.
func listen(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			serve(c)
			_ = c.Close()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return l.Addr().String()
}

// says answers every request with bytes.
func says(t *testing.T, answer string) string {
	t.Helper()
	return listen(t, func(c net.Conn) {
		_ = readHead(c)
		_, _ = io.WriteString(c, answer)
	})
}

// readHead reads the head of a request, which has no body.
func readHead(c net.Conn) string {
	var b strings.Builder
	buf := make([]byte, 1)
	for !strings.HasSuffix(b.String(), "\r\n\r\n") {
		if _, err := c.Read(buf); err != nil {
			break
		}
		b.Write(buf)
	}
	return b.String()
}

func answer(status, contentType, body string) string {
	return fmt.Sprintf("HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", status, contentType, len(body), body)
}

func lists(models ...string) string {
	var list []string
	for _, m := range models {
		id, err := json.Marshal(m)
		if err != nil {
			panic(err) // a string cannot fail
		}
		list = append(list, `{"id":`+string(id)+`,"object":"model"}`)
	}
	return `{"object":"list","data":[` + strings.Join(list, ",") + `]}`
}

// closed is an address at which nobody listens.
const closed = "127.0.0.1:1"

// hangs accepts, sends some bytes, and reports on gone when the client has let
// go of the connection.
func hangs(t *testing.T, first string, gone chan<- struct{}) string {
	t.Helper()
	return listen(t, func(c net.Conn) {
		_ = readHead(c)
		_, _ = io.WriteString(c, first)
		_, _ = io.Copy(io.Discard, c)
		gone <- struct{}{}
	})
}

// trickles sends one byte after another without an end, until the client has let
// go of the connection.
func trickles(t *testing.T, first string, gone chan<- struct{}) string {
	t.Helper()
	return listen(t, func(c net.Conn) {
		_ = readHead(c)
		_, err := io.WriteString(c, first)
		for err == nil {
			_, err = io.WriteString(c, " ")
		}
		gone <- struct{}{}
	})
}

// TestFirst: the first address in order at which a model answers wins, whatever
// the others are.
func TestFirst(t *testing.T) {
	t.Parallel()
	a, b := llmtest.New(t), llmtest.New(t)
	a.Models("nomic-embed-text", "qwen3:8b", "llama")
	b.Models("other")
	at := func(s *llmtest.Server) string { return strings.TrimPrefix(s.URL, "http://") }
	for _, c := range []struct {
		name      string
		addresses []string
		want      Found
	}{
		{"alone", []string{at(a)}, Found{at(a), a.URL + "/v1", "qwen3:8b"}},
		{"behind a closed one", []string{closed, at(a)}, Found{at(a), a.URL + "/v1", "qwen3:8b"}},
		{"two", []string{at(b), at(a)}, Found{at(b), b.URL + "/v1", "other"}},
		{"two, the other way round", []string{at(a), at(b)}, Found{at(a), a.URL + "/v1", "qwen3:8b"}},
		{"behind a page", []string{says(t, answer("200 OK", "text/html", "<p>hello</p>")), at(b)}, Found{at(b), b.URL + "/v1", "other"}},
		{"behind no HTTP", []string{says(t, "SSH-2.0-OpenSSH_9.2\r\n"), at(b)}, Found{at(b), b.URL + "/v1", "other"}},
		{"in front of a closed one", []string{at(b), closed}, Found{at(b), b.URL + "/v1", "other"}},
	} {
		got, err := First(t.Context(), c.addresses, patient)
		if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", c.name, err, diff)
		}
	}
	if n := len(a.Requests()) + len(b.Requests()); n != 0 {
		t.Errorf("%d questions were sent", n)
	}
}

// TestFirstNone: what is no list of models with a model in it is none, and where
// a server has none that is reported.
func TestFirstNone(t *testing.T) {
	t.Parallel()
	ok := func(body string) string { return says(t, answer("200 OK", "application/json", body)) }
	for _, c := range []struct {
		name, address string
		want          error
	}{
		{"nobody", closed, ErrNone},
		{"error", says(t, answer("500 Internal Server Error", "application/json", lists("a"))), ErrNone},
		{"no content", says(t, "HTTP/1.1 204 No Content\r\n\r\n"), ErrNone},
		{"wants a key", says(t, answer("401 Unauthorized", "application/json", lists("a"))), ErrNone},
		{"not found", says(t, answer("404 Not Found", "text/plain", "404 page not found")), ErrNone},
		{"page", says(t, answer("200 OK", "text/html", "<!doctype html><p>\"data\":[{\"id\":\"a\"}]")), ErrNone},
		{"empty body", ok(""), ErrNone},
		{"empty object", ok("{}"), ErrNone},
		{"null", ok("null"), ErrNone},
		{"a string", ok(`"data"`), ErrNone},
		{"a bare list", ok(`[{"id":"a"}]`), ErrNone},
		{"data is no list", ok(`{"data":{"id":"a"}}`), ErrNone},
		{"broken", ok(`{"data":[{"id":"a"}`), ErrNone},
		{"more than one value", ok(lists("a") + lists("a")), ErrNone},
		{"huge", ok(`{"data":[{"id":"a"},{"id":"` + strings.Repeat("x", maxBody) + `"}]}`), ErrNone},
		{"huge header", says(t, "HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 2*maxHeader)+"\r\n\r\n"+lists("a")), ErrNone},
		{"cut off", says(t, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"+lists("a")), ErrNone},
		{"compressed", says(t, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08"), ErrNone},
		{"hangs up", listen(t, func(net.Conn) {}), ErrNone},
		{"no models", ok(`{"object":"list","data":[]}`), ErrEmpty},
		{"no models, as Ollama says it", ok(`{"object":"list","data":null}`), ErrEmpty},
		{"only names that are none", ok(`{"data":[1,{"id":7},{"id":""},{"id":" a"},{"id":"a\u001b[2J"},{"id":"a\nb"},{"id":"\u202ea"},{"id":"a\u200bb"},{"id":"\u3164"},{"id":"\ud800"},{"id":"` + strings.Repeat("x", maxName+1) + `"}]}`), ErrEmpty},
	} {
		got, err := First(t.Context(), []string{c.address}, patient)
		if !errors.Is(err, c.want) || got != (Found{}) {
			t.Errorf("%s: %+v, %v, want %v", c.name, got, err, c.want)
		}
		if empty := errors.Is(c.want, ErrEmpty); empty && !strings.Contains(err.Error(), c.address) {
			t.Errorf("%s: %v does not say where", c.name, err)
		}
	}
	if _, err := First(t.Context(), nil, patient); !errors.Is(err, ErrNone) {
		t.Errorf("nowhere: %v", err)
	}
	empty := says(t, answer("200 OK", "application/json", lists()))
	if _, err := First(t.Context(), []string{closed, empty, closed}, patient); !errors.Is(err, ErrEmpty) || !strings.Contains(err.Error(), empty) {
		t.Errorf("empty between closed ones: %v", err)
	}
}

// TestFirstSlow: a server that listens and takes its time is waited for, as one on a machine that is busy.
func TestFirstSlow(t *testing.T) {
	t.Parallel()
	slow := listen(t, func(c net.Conn) {
		_ = readHead(c)
		time.Sleep(2 * Within) // longer than one that is idle takes
		_, _ = io.WriteString(c, answer("200 OK", "application/json", lists("test")))
	})
	if got, err := First(t.Context(), []string{closed, slow}, patient); err != nil || got.Model != "test" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := At(t.Context(), "http://"+closed+"/v1", patient); !errors.Is(err, ErrAbsent) {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestFirstBounded: servers that never answer, or never end, cost the time that
// was given and no more, keep nobody else from being found, and are let go of.
func TestFirstBounded(t *testing.T) {
	t.Parallel()
	head := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
	model := llmtest.New(t)
	at := strings.TrimPrefix(model.URL, "http://")
	for _, c := range []struct {
		name string
		at   func(gone chan<- struct{}) string
	}{
		{"says nothing", func(g chan<- struct{}) string { return hangs(t, "", g) }},
		{"stops in the head", func(g chan<- struct{}) string { return hangs(t, "HTTP/1.1 200 OK\r\nContent-", g) }},
		{"stops in the body", func(g chan<- struct{}) string { return hangs(t, head+`{"data":[{"id":"a"}`, g) }},
		{"trickles in the head", func(g chan<- struct{}) string { return trickles(t, "HTTP/1.1 200 OK\r\nX:", g) }},
		{"trickles in the body", func(g chan<- struct{}) string { return trickles(t, head+lists("a"), g) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			gone := make(chan struct{}, 2)
			bad := c.at(gone)
			const short = 50 * time.Millisecond
			if got, err := First(t.Context(), []string{closed, bad}, short); !errors.Is(err, ErrSilent) || !strings.Contains(err.Error(), bad) {
				t.Errorf("alone: %+v, %v", got, err)
			}
			await(t, gone)
			// The model behind it is taken soon after it answered: with all the patience of a test, it would never end.
			if got, err := First(t.Context(), []string{bad, at}, time.Hour); err != nil || got.Model != "test" {
				t.Errorf("with a model behind it: %+v, %v", got, err)
			}
			await(t, gone)
			// The model in front of it is not kept waiting: with all the patience
			// of a test, it would never end.
			if got, err := First(t.Context(), []string{at, bad}, time.Hour); err != nil || got.Model != "test" {
				t.Errorf("with a model in front: %+v, %v", got, err)
			}
		})
	}
}

func await(t *testing.T, gone <-chan struct{}) {
	t.Helper()
	select {
	case <-gone:
	case <-time.After(patient):
		t.Fatal("the connection was not let go of")
	}
}

// TestCancel: who asked may stop, and hears its own cause.
func TestCancel(t *testing.T) {
	t.Parallel()
	cause := errors.New("no more")
	for _, look := range []func(context.Context, string) (Found, error){
		func(ctx context.Context, at string) (Found, error) { return First(ctx, []string{at}, time.Hour) },
		func(ctx context.Context, at string) (Found, error) { return At(ctx, "http://"+at, time.Hour) },
	} {
		asked, gone := make(chan struct{}), make(chan struct{}, 1)
		at := listen(t, func(c net.Conn) {
			_ = readHead(c)
			close(asked)
			_, _ = io.Copy(io.Discard, c)
			gone <- struct{}{}
		})
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			<-asked
			cancel(cause)
		}()
		if _, err := look(ctx, at); !errors.Is(err, cause) {
			t.Errorf("%v", err)
		}
		await(t, gone)
	}
}

// TestOnlyThisMachine: nothing that is not a loopback address is dialled, a
// redirect is not followed, and nothing of the person's is sent.
func TestOnlyThisMachine(t *testing.T) {
	t.Setenv("http_proxy", "http://127.0.0.1:1")
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("all_proxy", "http://127.0.0.1:1")
	for _, remote := range []string{
		"https://api.example.com/v1", "http://192.0.2.1:11434/v1", "http://127.0.0.1.example.com/v1", "http://localhost.example.com",
		"http://0.0.0.0:11434", "http://[::]:1", "http://[2001:db8::1]:1", "http://2130706433/v1", "http://127.1/v1", "127.0.0.1:11434", "unix:///x", "ftp://127.0.0.1", "",
	} {
		if IsLocal(remote) {
			t.Errorf("%s counts as this machine", remote)
		}
		if _, err := At(t.Context(), remote, patient); !errors.Is(err, ErrNotLocal) {
			t.Errorf("%s: %v", remote, err)
		}
	}
	// Were a name of this machine to lead elsewhere, the connection is refused
	// before the first byte.
	if err := loopbackOnly("tcp", "192.0.2.1:80", nil); !errors.Is(err, ErrNotLocal) {
		t.Errorf("elsewhere: %v", err)
	}
	if _, err := ask(t.Context(), "http://192.0.2.1:11434/v1"); !errors.Is(err, ErrNotLocal) {
		t.Errorf("dialled elsewhere: %v", err)
	}

	heads := make(chan string, 1)
	at := listen(t, func(c net.Conn) {
		heads <- readHead(c)
		_, _ = io.WriteString(c, answer("200 OK", "application/json", lists("a")))
	})
	got, err := At(t.Context(), "http://me:"+"pass"+"word@"+at+"/v1/chat/completions/?k=v", patient)
	if diff := cmp.Diff(Found{at, "http://" + at + "/v1", "a"}, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if head := <-heads; head != "GET /v1/models HTTP/1.1\r\nHost: "+at+"\r\nUser-Agent: ken\r\nAccept: application/json\r\nConnection: close\r\n\r\n" {
		t.Errorf("sent:\n%s", head)
	}

	asked := make(chan struct{}, 1)
	to := listen(t, func(c net.Conn) {
		asked <- struct{}{}
		_ = readHead(c)
	})
	from := says(t, "HTTP/1.1 302 Found\r\nLocation: http://"+to+"/v1/models\r\nContent-Length: 0\r\n\r\n")
	if _, err := First(t.Context(), []string{from}, patient); !errors.Is(err, ErrNone) {
		t.Errorf("redirected: %v", err)
	}
	if len(asked) != 0 {
		t.Error("the redirect was followed")
	}
}

func TestIsLocal(t *testing.T) {
	t.Parallel()
	for _, local := range []string{
		"http://127.0.0.1:11434/v1", "http://127.3.2.1", "https://LocalHost:8443/x", "http://localhost.", "http://ken.localhost:1", "http://[::1]:8080", " http://localhost:1234/ ",
	} {
		if !IsLocal(local) {
			t.Errorf("%s does not count as this machine", local)
		}
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	usual := "127.0.0.1:11434"
	for host, want := range map[string]string{
		"":                       usual,
		"127.0.0.1":              usual,
		"127.0.0.1:9999":         "127.0.0.1:9999",
		"localhost:9999":         "localhost:9999",
		"http://localhost:9999/": "localhost:9999",
		"0.0.0.0":                usual,
		"0.0.0.0:9999":           "127.0.0.1:9999",
		":9999":                  "127.0.0.1:9999",
		"[::1]:9999":             "[::1]:9999",
		"[::]:9999":              "127.0.0.1:9999",
		"::1":                    "[::1]:11434",
		"ollama.example.com":     usual,
		"192.0.2.1:9999":         usual,
		"127.0.0.1:x":            usual,
		"127.0.0.1:999999":       usual,
		"\x1b[2J":                usual,
	} {
		got := Addresses(host)
		if diff := cmp.Diff([]string{want, "127.0.0.1:8080", "127.0.0.1:1234"}, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", host, diff)
		}
	}
}

// TestChoose: models that are made for something else are passed over while there
// is another one.
func TestChoose(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		models []string
		want   string
	}{
		{[]string{"a", "b"}, "a"},
		{[]string{"nomic-embed-text", "bge-Rerank", "whisper-1", "tts-1", "b"}, "b"},
		{[]string{"nomic-embed-text", "whisper-1"}, "nomic-embed-text"},
		{[]string{"a\x1b[31m", "b"}, "b"},
		{[]string{"hf.co/bartowski/Llama-3.2-1B-Instruct-GGUF:Q4_K_M"}, "hf.co/bartowski/Llama-3.2-1B-Instruct-GGUF:Q4_K_M"},
		{[]string{"modèle 1"}, "modèle 1"},
	} {
		if got, err := choose([]byte(lists(c.models...))); got != c.want || err != nil {
			t.Errorf("%q: %q, %v, want %q", c.models, got, err, c.want)
		}
	}
}

// FuzzChoose: whatever a server lists, a name that is taken can be shown.
func FuzzChoose(f *testing.F) {
	for _, seed := range []string{"", "null", "{}", lists(), lists("a"), lists("tts", "\x1b[2J", "b c"), `{"data":[[]]}`, `{"data":[{"id":"\ud800"}]}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		got, err := choose([]byte(body))
		if (got == "") != (err != nil) || strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("%q, %v", got, err)
		}
	})
}

// BenchmarkNobody is what looking adds to a first question where nothing
// listens.
func BenchmarkNobody(b *testing.B) {
	addresses := []string{closed, "127.0.0.1:2", "127.0.0.1:3"}
	for b.Loop() {
		if _, err := First(b.Context(), addresses, patient); !errors.Is(err, ErrNone) {
			b.Fatal(err)
		}
	}
}
