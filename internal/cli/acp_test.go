//go:build unix

package cli_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// TestACP: an editor starts ken and talks with it over its standard streams, which carry the protocol and nothing else; when it
// hangs up in the middle of an answer ken ends within two seconds, with 0, and has recorded what came.
func TestACP(t *testing.T) {
	t.Parallel()
	dir, model := t.TempDir(), llmtest.New(t, llmtest.Text("It is blue."), llmtest.Hang("and then"))
	cmd, said := clitest.Command(t, dir, model, "acp"), new(bytes.Buffer)
	cmd.Stderr = said
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	// ask sends a request and returns its answer, and what came before it.
	ask := func(id int, method, params string) (before, answer string) {
		if _, err := fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params); err != nil {
			t.Fatal(err)
		}
		for {
			line, err := lines.ReadString('\n')
			if err != nil || !strings.HasPrefix(line, `{"jsonrpc":"2.0"`) {
				t.Fatalf("%q, %v: %s", line, err, said.String())
			}
			if strings.HasPrefix(line, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,`, id)) {
				return before, line
			}
			before += line
		}
	}
	if _, got := ask(1, "initialize", `{"protocolVersion":2}`); !strings.Contains(got, `"protocolVersion":1`) {
		t.Error(got)
	}
	_, got := ask(2, "session/new", fmt.Sprintf(`{"cwd":%q,"mcpServers":[]}`, dir))
	_, rest, _ := strings.Cut(got, `"sessionId":"`)
	id, _, _ := strings.Cut(rest, `"`)
	prompt := fmt.Sprintf(`{"sessionId":%q,"prompt":[{"type":"text","text":"what colour is the boat?"}]}`, id)
	before, got := ask(3, "session/prompt", prompt)
	if !strings.Contains(got, "end_turn") || !strings.Contains(before, "blue.") || !strings.Contains(before, "available_commands") {
		t.Error(before, got)
	}
	if _, err := io.WriteString(in, `{"jsonrpc":"2.0","id":4,"method":"session/prompt","params":`+prompt+"}\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := model.Await(2); err != nil {
		t.Fatal(err)
	}
	at := time.Now()
	_ = in.Close()
	_, _ = io.ReadAll(lines)
	if err := cmd.Wait(); err != nil || time.Since(at) > 2*time.Second || said.Len() > 0 {
		t.Errorf("%v, after %s: %s", err, time.Since(at), said.String())
	}
	shown, _, _ := clitest.Run(t, dir, "", "sessions", "show", id)
	if !strings.Contains(shown, "It is blue.") || strings.Count(shown, "what colour") != 2 {
		t.Error(shown)
	}
}

// TestACPPipedIn: what is piped in is answered before its end is seen, also a last line that nothing ends.
func TestACPPipedIn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for range 10 {
		out, errs, code := clitest.Run(t, dir, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`, "acp")
		if code != 0 || !strings.Contains(out, `"id":1,"result":{`) {
			t.Fatalf("%d: %q %q", code, out, errs)
		}
	}
}
