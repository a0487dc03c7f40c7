//go:build unix

package cli_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ken/internal/proctest"
	"ken/internal/ttytest"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// TestEP1Process: ken serve as a process of its own stands in front of a model: what a person stated by the command line goes with the
// question of a program, and the text that the program sent is no memory.
func TestEP1Process(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t)
	model.Always(llmtest.Text("kettle"))
	run := func(args ...string) string {
		t.Helper()
		out, errs, code := clitest.Run(t, dir, "", args...)
		if code != 0 {
			t.Fatalf("%v: %d %s", args, code, errs)
		}
		return strings.TrimSpace(out)
	}
	run("config", "set", "models.fast.base_url="+model.URL, "models.fast.model=tiny", "serve.alias.plain=ken/fast")
	run("remember", "the staging host is called kettle")
	token := run("serve", "token", "add", "notes")
	client := http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", filepath.Join(dir, "ken", "run", "serve.sock"))
		},
	}}
	cmd := clitest.Command(t, dir, nil, "serve")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ask := func(method, path, body string) (h http.Header, text string) {
		t.Helper()
		if !proctest.Within(ttytest.Patience, func() bool {
			r, err := http.NewRequestWithContext(t.Context(), method, "http://localhost"+path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", "Bearer "+token)
			r.Header.Set("Content-Type", "application/json")
			res, err := client.Do(r)
			if err != nil { // it does not listen yet
				return false
			}
			b, _ := io.ReadAll(res.Body)
			_ = res.Body.Close()
			h, text = res.Header, string(b)
			return true
		}) {
			t.Fatal("nobody answers")
		}
		return h, text
	}
	if _, text := ask("GET", "/v1/models", ""); !strings.Contains(text, `"id":"ken/fast"`) || !strings.Contains(text, `"id":"plain"`) {
		t.Errorf("the models: %s", text)
	}
	for name, want := range map[string]string{"fast": "off", "ken/fast": "1", "plain": "1"} {
		h, text := ask("POST", "/v1/chat/completions",
			fmt.Sprintf(`{"model":%q,"stream":true,"messages":[{"role":"user","content":"remember zanzibar: which staging host?"}]}`, name))
		if h.Get("Ken-Memory") != want || !strings.HasSuffix(text, llmtest.Done) {
			t.Errorf("%s: %v %s", name, h, text)
		}
		list := model.Requests()
		if got := strings.Contains(string(list[len(list)-1].Body), "called kettle"); got != (want == "1") {
			t.Errorf("%s: the model got %s", name, list[len(list)-1].Body)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ends with %v", err)
	}
	if text := run("memory", "list"); strings.Contains(text, "zanzibar") {
		t.Errorf("remembered: %s", text)
	}
	if text := run("memory", "show", "1"); !strings.Contains(text, "notes") {
		t.Errorf("it is not said who was given it: %s", text)
	}
}
