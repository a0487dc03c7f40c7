package mcp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ken/internal/config"
	"ken/internal/tool/mcp"
	"ken/internal/tool/mcp/mcptest"
)

// serverEnv has a copy of this program be a tool server.
const serverEnv = "KEN_TEST_TOOL_SERVER"

func TestMain(m *testing.M) {
	if how := os.Getenv(serverEnv); how != "" {
		if err := mcptest.Serve(how, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "server:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if how := os.Getenv(probedEnv); how != "" {
		beProbed(how)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// odd is the table of a server that is like that.
func odd(t *testing.T, how string) config.Server {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return config.Server{Command: []string{exe}, Env: map[string]string{serverEnv: how}}
}

// options are those of a person with these servers.
func options(t *testing.T, servers map[string]config.Server) mcp.Options {
	t.Helper()
	dir := t.TempDir()
	return mcp.Options{
		Settings: config.MCP{Servers: servers, ConnectTimeout: time.Minute, MaxToolDepth: 8},
		Env:      []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "MY_API_KEY=geheim", "LC_ALL=C.UTF-8"},
		Home:     dir, Dir: dir, Pins: filepath.Join(dir, "tools.jsonl"), Version: "test", Now: time.Now,
	}
}

// up starts the servers and waits for them.
func up(t *testing.T, o mcp.Options) *mcp.Servers {
	t.Helper()
	s := mcp.New(o)
	t.Cleanup(s.Close)
	s.Start()
	s.Await(t.Context())
	return s
}

// call calls a tool as a model would.
func call(t *testing.T, s *mcp.Servers, name, args string) mcp.Result {
	t.Helper()
	c, err := s.Read(name, []byte(args))
	if err != nil {
		t.Fatalf("%s: %v; %v", name, err, s.Said())
	}
	return s.Run(t.Context(), c, nil)
}
