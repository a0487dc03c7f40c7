//go:build unix

package cli_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
	"ken/internal/telegram/telegramtest"
	"ken/internal/ttytest"
)

// A browser is one without scripts, that came by the link which `ken serve page` shows at a terminal.
type browser struct {
	t           *testing.T
	base, token string
	c           http.Client
	end         func()
}

// browse has ken serve a memory until end is called, and comes in.
func browse(t *testing.T, dir string, model *llmtest.Server) *browser {
	t.Helper()
	b := &browser{t: t}
	cmd := clitest.Command(t, dir, model, "serve", "--tcp", "127.0.0.1:0")
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said, read := bufio.NewScanner(errs), make(chan struct{})
	for b.base == "" && said.Scan() {
		if _, at, ok := strings.Cut(said.Text(), "serving at "); ok {
			b.base = strings.TrimSpace(at)
		}
	}
	go func() {
		defer close(read)
		for said.Scan() {
			t.Log("ken serve:", said.Text())
		}
	}()
	b.end = func() {
		b.c.CloseIdleConnections()
		_ = cmd.Process.Signal(syscall.SIGTERM)
		<-read
		if err := cmd.Wait(); err != nil {
			t.Error("ken serve:", err)
		}
	}
	at, err := url.Parse(b.base)
	if err != nil || at.Host == "" {
		t.Fatalf("%q, %v", b.base, err)
	}
	term := ttytest.OpenSized(t, clitest.Command(t, dir, model, "serve", "page", "--tcp", at.Host), 24, 200)
	if code := term.Exit(); code != 0 {
		t.Fatalf("%d\n%s", code, term.Text())
	}
	term.AwaitEnd()
	link, err := url.Parse(regexp.MustCompile(`http://ken:\S+/enter`).FindString(term.Text()))
	if err != nil || link.User == nil {
		t.Fatalf("%v in\n%s", err, term.Text())
	}
	b.token, _ = link.User.Password()
	b.c = http.Client{Timeout: time.Minute, Transport: &http.Transport{}}
	b.send(http.MethodGet, link.Path, nil)
	return b
}

// send asks for an address, and returns the page that comes in the end.
func (b *browser) send(method, at string, form url.Values) string {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.base+at, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	r.SetBasicAuth("ken", b.token) // as browsers do
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", b.base)
	}
	got, err := b.c.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	body, err := io.ReadAll(got.Body)
	if _ = got.Body.Close(); err != nil || got.StatusCode != http.StatusOK {
		b.t.Fatalf("%s %s: %s, %v: %.300s", method, at, got.Status, err, body)
	}
	return string(body)
}

// ask asks in a new conversation, and returns the page with the whole answer.
func (b *browser) ask(text string) string {
	b.t.Helper()
	m := regexp.MustCompile(`name="once" value="([^"]+)"`).FindStringSubmatch(b.send(http.MethodGet, "/", nil))
	if m == nil {
		b.t.Fatal("no form")
	}
	return b.send(http.MethodPost, "/ask", url.Values{"once": {m[1]}, "text": {text}})
}

// TestS61OnThePage: what the page keeps the phone knows, and the other way round; what one of them takes back is gone on both.
func TestS61OnThePage(t *testing.T) {
	t.Parallel()
	p := newPhone(t)
	p.start()
	p.pair(phoneUser)
	p.wait(1)
	b := browse(t, p.dir, p.model)
	newest := func(question string) string {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for ctx.Err() == nil {
			all := p.model.Requests()
			for i := range all {
				if r := all[len(all)-1-i]; strings.Contains(string(r.Body), question) {
					return string(r.Body)
				}
			}
			if _, err := p.model.Await(len(all) + 1); err != nil {
				break
			}
		}
		t.Fatalf("nobody asked %q", question)
		return ""
	}
	if page := b.ask("remember that the staging host is called kettle"); !strings.Contains(page, "remembered #1") {
		t.Errorf("%.2000s", page)
	}
	p.api.Send(telegramtest.Text(phoneUser, "What is the staging host called, I wonder?"))
	if p.wait(2); !strings.Contains(newest("I wonder"), "is called kettle") {
		t.Error("the phone does not know what the page keeps: " + newest("I wonder"))
	}
	p.api.Send(telegramtest.Text(phoneUser, "/remember my boat is called Annabel"))
	if got := p.wait(3); !strings.HasPrefix(got, "remembered #2") {
		t.Error(got)
	}
	b.ask("What is my boat called, by the way?")
	if !strings.Contains(newest("by the way"), "is called Annabel") {
		t.Error("the page does not know what the phone keeps: " + newest("by the way"))
	}
	channels := make(map[any]bool)
	for _, line := range clitest.MemoryLines(t, p.dir) {
		if source, _ := line["source"].(map[string]any); source != nil {
			channels[source["channel"]] = true
		}
	}
	if !channels["web"] || !channels["telegram"] {
		t.Errorf("told by %v", channels)
	}
	if list := b.send(http.MethodGet, "/memory", nil); !strings.Contains(list, "Annabel") || !strings.Contains(list, "kettle") {
		t.Errorf("%.2000s", list)
	}
	p.api.Send(telegramtest.Text(phoneUser, "/undo_1"))
	if got := p.wait(4); !strings.Contains(got, "took back #1") {
		t.Error(got)
	}
	if list := b.send(http.MethodGet, "/memory", nil); !strings.Contains(list, "Annabel") || strings.Contains(list, "kettle") {
		t.Errorf("taken back on the phone, and on the page:\n%.2000s", list)
	}
	b.ask("What is the staging host called, once more?")
	if body := newest("once more"); strings.Contains(body, "is called kettle") {
		t.Error("taken back, and sent: " + body)
	}
	b.end()
	if code := p.end(syscall.SIGTERM); code != 0 {
		t.Errorf("%d\n%s", code, p.said.String())
	}
}
