//go:build unix

package cli_test

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// A webPage is what asks ken serve for its page, with what the link gave it.
type webPage struct {
	t          *testing.T
	dir        string
	model      *llmtest.Server
	cmd        *exec.Cmd
	ended      chan struct{}
	at, secret string
	said       []string // on standard error; to be read once it ended
}

// start has ken serve the page, until end.
func (b *webPage) start(args ...string) {
	b.t.Helper()
	b.cmd, b.ended = clitest.Command(b.t, b.dir, b.model, append([]string{"serve", "--tcp", "127.0.0.1:0"}, args...)...), make(chan struct{})
	errs, err := b.cmd.StderrPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := b.cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	lines := bufio.NewScanner(errs)
	for b.at = ""; b.at == "" && lines.Scan(); {
		_, b.at, _ = strings.Cut(lines.Text(), "serving at ")
	}
	if b.at == "" {
		b.t.Fatal("ken serve says nothing")
	}
	cmd, ended := b.cmd, b.ended
	go func() {
		for lines.Scan() {
			b.said = append(b.said, lines.Text())
			if strings.Contains(lines.Text(), "fault of ken") {
				b.t.Error(lines.Text())
			}
		}
		_ = cmd.Wait() // its exit code says how it ended
		close(ended)
	}()
}

// end ends it by a signal, and returns its exit code; -1: it was killed.
func (b *webPage) end(by syscall.Signal) int {
	b.t.Helper()
	if err := b.cmd.Process.Signal(by); err != nil {
		b.t.Fatal(err)
	}
	select {
	case <-b.ended:
	case <-time.After(time.Minute):
		b.t.Fatal("ken serve does not end")
	}
	return b.cmd.ProcessState.ExitCode()
}

// link takes the link from a terminal.
func (b *webPage) link() {
	b.t.Helper()
	term := clitest.Open(b.t, clitest.Command(b.t, b.dir, nil, "serve", "page", "--tcp", strings.TrimPrefix(b.at, "http://")))
	if code := term.Exit(); code != 0 {
		b.t.Fatal(code, term.Text())
	}
	term.AwaitEnd()
	m := regexp.MustCompile(`http://ken:(ken_[\w-]+)@`).FindStringSubmatch(strings.ReplaceAll(term.Text(), "\n", ""))
	if m == nil {
		b.t.Fatalf("no link in %s", term.Text())
	}
	b.secret = m[1]
}

// A reply is what the page answers.
type reply struct {
	status int
	header http.Header
	body   io.Reader
}

// do asks as the browser does; no redirection is followed.
func (b *webPage) do(method, path string, body io.Reader, head ...string) reply {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.at+path, body)
	if err != nil {
		b.t.Fatal(err)
	}
	r.SetBasicAuth("ken", b.secret)
	for i := 0; i < len(head); i += 2 {
		r.Header.Set(head[i], head[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		b.t.Fatalf("%s %s: %v", method, path, err)
	}
	b.t.Cleanup(func() { _ = resp.Body.Close() })
	return reply{resp.StatusCode, resp.Header, resp.Body}
}

func (b *webPage) get(path string) string {
	b.t.Helper()
	text, err := io.ReadAll(b.do(http.MethodGet, path, http.NoBody).body)
	if err != nil {
		b.t.Fatalf("%s: %v", path, err)
	}
	return string(text)
}

// ask asks in a conversation, "" for a new one, and returns its id, and the stream of the answer up to a text.
func (b *webPage) ask(id, text, until string) (string, *bufio.Reader) {
	b.t.Helper()
	resp := b.do(http.MethodPost, "/ask", strings.NewReader(url.Values{"id": {id}, "text": {text}}.Encode()),
		"Content-Type", "application/x-www-form-urlencoded", "HX-Request", "true", "Origin", b.at, "Sec-Fetch-Site", "same-origin")
	page, err := io.ReadAll(resp.body)
	if err != nil || resp.status != http.StatusOK {
		b.t.Fatalf("%q: %d %s, %v", text, resp.status, page, err)
	}
	if to := resp.header.Get("HX-Redirect"); to != "" {
		id, page = strings.TrimPrefix(to, "/talk/"), []byte(b.get(to))
	}
	m := regexp.MustCompile(`hx-sse:connect="([^"]+)"`).FindSubmatch(page)
	if m == nil { // it was whole by then
		if !bytes.Contains(page, []byte(until)) {
			b.t.Fatalf("no %q in %s", until, page)
		}
		return id, nil
	}
	stream := bufio.NewReader(b.do(http.MethodGet, string(m[1]), http.NoBody).body)
	for {
		line, err := stream.ReadString('\n')
		if err != nil {
			b.t.Fatalf("no %q: %v", until, err)
		}
		if strings.Contains(line, until) {
			return id, stream
		}
	}
}

// TestPageTalk: the page of ken serve, as a process: what is kept there other faces know; killed in mid-answer, ended in order, and
// only read, it loses nothing that was recorded; who is no browser of the person's gets nothing.
func TestPageTalk(t *testing.T) {
	t.Parallel()
	b := &webPage{t: t, dir: t.TempDir(), model: llmtest.New(t)}
	b.model.Reply(func(r llmtest.Request) llmtest.Script {
		said := r.Messages()
		if strings.HasSuffix(strings.TrimSpace(said[len(said)-1].Content), "slowly") {
			return llmtest.Hang("It begins here. \n\n", "And waits. \n\n", "And")
		}
		return llmtest.Text("All right.")
	})
	b.start()
	b.link()
	if resp := b.do(http.MethodGet, "/enter", http.NoBody); resp.status != http.StatusSeeOther || resp.header.Get("Location") != b.at+"/" {
		t.Errorf("the link: %d to %s", resp.status, resp.header.Get("Location"))
	}
	id, _ := b.ask("", "remember that the staging host is kettle", "remembered #1")
	if _, errs, code := clitest.Run(t, b.dir, "", "sessions", "list", "--all"); code != 0 {
		t.Error(errs)
	}
	if out, _, _ := clitest.Run(t, b.dir, "", "sessions", "list", "--all"); !strings.Contains(out, " web ") {
		t.Errorf("the conversation is not listed as of the page: %s", out)
	}
	ask := clitest.Command(t, b.dir, b.model, "ask", "which host is staging?")
	if out, err := ask.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	all := b.model.Requests()
	if last := string(all[len(all)-1].Body); !strings.Contains(last, "staging host is kettle") {
		t.Errorf("the terminal does not know it: %s", last)
	}
	strangers(t, b, id)

	for _, by := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		_, stream := b.ask(id, "say it slowly", "And waits.")
		code := b.end(by)
		rest, _ := io.ReadAll(stream)
		if by == syscall.SIGTERM && (code != 0 || !strings.Contains(string(rest), "the server ended while it was answered")) {
			t.Errorf("ended in order: %d, %s", code, rest)
		}
		b.start()
		page := b.get("/talk/" + id)
		if !strings.Contains(page, "say it slowly") || !strings.Contains(page, "Ask again") ||
			by == syscall.SIGTERM && !strings.Contains(page, "And waits.") {
			t.Errorf("after %v: %s", by, page)
		}
		b.ask(id, "and now?", "All right.")
	}
	b.end(syscall.SIGINT)
	b.start("--read-only")
	if page := b.get("/talk/" + id); !strings.Contains(page, "only read here") || !strings.Contains(page, "All right.") ||
		strings.Contains(page, `id="ask"`) {
		t.Errorf("only read: %s", page)
	}
	b.end(syscall.SIGTERM)
}

// strangers: without the token, from another page, with too much, nothing is asked, and the server goes on.
func strangers(t *testing.T, b *webPage, id string) {
	t.Helper()
	n := len(b.model.Requests())
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	for _, c := range []struct {
		path   string
		head   []string
		status int
	}{
		{"/ask", append(form, "Authorization", "Bearer none"), http.StatusUnauthorized},
		{"/ask", append(form, "HX-Request", "true", "Origin", "http://evil.example"), http.StatusForbidden},
		{"/ask", append(form, "Origin", "null"), http.StatusForbidden},
		{"/ask", append(form, "Sec-Fetch-Site", "cross-site"), http.StatusForbidden},
		{"/ask", form, http.StatusForbidden},
		{"/talk/" + id + "/stop", form, http.StatusForbidden},
		{"/ask", []string{"Content-Type", "text/plain"}, http.StatusUnsupportedMediaType},
	} {
		if resp := b.do(http.MethodPost, c.path, strings.NewReader("text=x&once=guessed"), c.head...); resp.status != c.status {
			t.Errorf("%s with %q: %d", c.path, c.head, resp.status)
		}
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.at+"/ask", io.LimitReader(neverending{}, 100<<20))
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth("ken", b.secret)
	r.Header.Set("Content-Type", form[1])
	r.Header.Set("HX-Request", "true")
	if resp, err := http.DefaultTransport.RoundTrip(r); err == nil { // it may be cut off before it is done sending
		if resp.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("100 MB: %s", resp.Status)
		}
		_ = resp.Body.Close()
	}
	if !strings.Contains(b.get("/"), `id="ask"`) || len(b.model.Requests()) != n {
		t.Errorf("%d were asked", len(b.model.Requests())-n)
	}
}

// neverending is a body that goes on.
type neverending struct{}

func (neverending) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// TestServeWithPage: one command serves the page and shows its link, at a terminal; the link is good while it runs.
func TestServeWithPage(t *testing.T) {
	t.Parallel()
	b := &webPage{t: t, dir: t.TempDir()}
	for _, flag := range []string{"--page", "--open"} {
		_, errs, code := clitest.Run(t, b.dir, "", "serve", flag, "--tcp", "127.0.0.1:0")
		if code == 0 || !strings.Contains(errs, "the link to the page is shown at a terminal alone") {
			t.Errorf("%s: %d, %s", flag, code, errs)
		}
	}
	term := clitest.Open(t, clitest.Command(t, b.dir, nil, "serve", "--page", "--tcp", "127.0.0.1:0"))
	term.Await("/enter")
	text := strings.ReplaceAll(term.Text(), "\n", "")
	m := regexp.MustCompile(`http://ken:(ken_[\w-]{43})@(127\.0\.0\.1:\d+)/enter`).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no link in %s", term.Text())
	}
	b.at, b.secret = "http://"+m[2], m[1]
	if text := b.get("/memory"); !strings.Contains(text, "<h1>Memory</h1>") {
		t.Errorf("%s", text)
	}
	// Another link is to the server that runs, wherever that listens, and leaves the one before as it is.
	other := clitest.Open(t, clitest.Command(t, b.dir, nil, "serve", "page"))
	if code, text := other.Exit(), strings.ReplaceAll(other.Text(), "\n", ""); code != 0 || !strings.Contains(text, "@"+m[2]+"/enter") ||
		!strings.Contains(text, "at the server that runs") {
		t.Errorf("%d: %s", code, text)
	}
	if text := b.get("/memory"); !strings.Contains(text, "<h1>Memory</h1>") {
		t.Errorf("by the link before: %s", text)
	}
	term.Send("\x03")
	if code := term.Exit(); code != 0 {
		t.Errorf("%d: %s", code, term.Text())
	}
	other = clitest.Open(t, clitest.Command(t, b.dir, nil, "serve", "page"))
	if code, text := other.Exit(), strings.ReplaceAll(other.Text(), "\n", ""); code != 0 || !strings.Contains(text, "@127.0.0.1:8765/enter") {
		t.Errorf("when none runs: %d: %s", code, text)
	}
	term = clitest.Open(t, clitest.Command(t, b.dir, nil, "--read-only", "serve", "--page", "--tcp", "127.0.0.1:0"))
	if code := term.Exit(); code == 0 || !strings.Contains(term.Text(), "the memory is only read here") {
		t.Errorf("%d: %s", code, term.Text())
	}
}
