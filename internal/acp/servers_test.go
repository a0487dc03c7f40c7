package acp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/acp-go-sdk"

	"ken/internal/agent/loop"
	"ken/internal/config"
	"ken/internal/llm/llmtest"
	"ken/internal/tool/lane"
	"ken/internal/tool/mcp"
	"ken/internal/tool/mcp/mcptest"
)

// serverEnv has a copy of this program be a tool server.
const serverEnv = "KEN_TEST_TOOL_SERVER"

func TestMain(m *testing.M) {
	if err := lane.Enter(os.Args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if how := os.Getenv(serverEnv); how != "" {
		if err := mcptest.Serve(how, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "server:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// brings is an editor that brings tool servers, one of which is called as one that the person's settings let unasked.
func brings(t *testing.T) (e *editor, greet func(more ...acp.McpServer) acp.SessionId) {
	t.Helper()
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, "ken"), 0o700); err != nil {
		t.Fatal(err)
	}
	settings := "[mcp]\nauto_approve = [\"my-tools.*\"]\n"
	if err := os.WriteFile(filepath.Join(home, "ken", "config.toml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	e = newEditor(t, home, func(o *Options) {
		o.Servers = func(dir string, set map[string]config.Server) *loop.Servers {
			return mcp.New(mcp.Options{
				Settings: config.MCP{Servers: set, ConnectTimeout: time.Minute}, Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home},
				Home: home, Dir: dir, Pins: filepath.Join(home, "tools.jsonl"), Version: "test", Now: time.Now,
			})
		}
	})
	one := acp.McpServer{Stdio: &acp.McpServerStdio{
		Name: "My Tools", Command: exe, Args: []string{"two words"}, Env: []acp.EnvVariable{{Name: serverEnv, Value: "plain"}},
	}}
	return e, func(more ...acp.McpServer) acp.SessionId {
		e.greet()
		ask := acp.NewSessionRequest{Cwd: e.dir, McpServers: append([]acp.McpServer{one}, more...)}
		r, err := request[acp.NewSessionResponse](e, "session/new", ask)
		if err != nil {
			t.Fatal(err)
		}
		return r.SessionId
	}
}

// TestServers: a tool server that the editor brings is started after a yes to its command, whole as it is, and each call of its tools is
// asked about, whatever the person's settings say of a server with that name. The same in another session is not asked about again.
func TestServers(t *testing.T) {
	t.Parallel()
	e, greet := brings(t)
	e.says = yes(onceID)
	id := greet(acp.McpServer{Http: &acp.McpServerHttpInline{Type: "http", Name: "far", Url: "https://h.test", Headers: []acp.HttpHeader{}}})
	got := e.called(id, "my-tools__echo", map[string]any{"text": "kettle"})
	if !strings.Contains(got, "kettle") || len(e.asked) != 2 {
		t.Fatalf("%q, asked %s", got, args(t, e.asked))
	}
	if first := args(t, e.asked[0]); !strings.Contains(first, "start the tool server my-tools") || !strings.Contains(first, "'two words'") ||
		!strings.Contains(first, serverEnv+"=plain") || strings.Contains(first, "allow_always") {
		t.Error(first)
	}
	if call := args(t, e.asked[1]); !strings.Contains(call, "my-tools.echo") || !strings.Contains(call, "kettle") {
		t.Error(call)
	}
	if said := e.said(); !strings.Contains(said, "no programs of this machine") {
		t.Error(said)
	}
	id = greet()
	if got := e.called(id, "my-tools__echo", map[string]any{"text": "pot"}); !strings.Contains(got, "pot") || len(e.asked) != 3 {
		t.Errorf("%q, asked %d times", got, len(e.asked))
	}
	if _, err := request[any](e, "session/close", acp.CloseSessionRequest{SessionId: id}); err != nil {
		t.Error(err)
	}
}

// TestServersRefused: without a yes none is started, and a prompt that is broken off at the question leaves it open; nothing is started
// in the mode read.
func TestServersRefused(t *testing.T) {
	t.Parallel()
	e, greet := brings(t)
	id := greet()
	e.says = func(acp.RequestPermissionRequest) any {
		return acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeCancelled()}
	}
	if stop, err := e.prompt(id, acp.TextBlock("do it")); stop != acp.StopReasonCancelled || err != nil {
		t.Error(stop, err)
	}
	if _, err := request[any](e, "session/set_mode", map[string]any{"sessionId": id, "modeId": "read"}); err != nil {
		t.Error(err)
	}
	ask := func(asked int) {
		t.Helper()
		e.model.Add(llmtest.Text("So."))
		if stop, err := e.prompt(id, acp.TextBlock("do it")); stop != acp.StopReasonEndTurn || err != nil {
			t.Error(stop, err)
		}
		r := e.model.Requests()
		if len(e.asked) != asked || strings.Contains(string(r[len(r)-1].Body), "my-tools") {
			t.Errorf("asked %d times, want %d: %s", len(e.asked), asked, r[len(r)-1].Body)
		}
	}
	ask(1)
	if _, err := request[any](e, "session/set_mode", map[string]any{"sessionId": id, "modeId": "ask"}); err != nil {
		t.Error(err)
	}
	e.says = yes("always")
	ask(2)
	ask(2)
}

// TestServersOutlast: a conversation that was closed to make room has its tool servers when it is gone on with; nobody is asked about
// them again.
func TestServersOutlast(t *testing.T) {
	t.Parallel()
	e, greet := brings(t)
	e.says = yes(onceID)
	id := greet()
	e.called(id, "my-tools__echo", map[string]any{"text": "kettle"})
	for range 20 {
		e.open()
	}
	if got := e.called(id, "my-tools__echo", map[string]any{"text": "pot"}); !strings.Contains(got, "pot") || len(e.asked) != 3 {
		t.Errorf("%q, asked %s", got, args(t, e.asked))
	}
}
