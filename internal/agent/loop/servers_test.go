//go:build unix

package loop_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/agent/loop"
	"ken/internal/config"
	"ken/internal/gate"
	"ken/internal/runner"
	"ken/internal/tool"
	"ken/internal/tool/mcp"
	"ken/internal/tool/mcp/mcptest"
)

// withServer makes a bench with a tool server, files, as mcptest.Plain is.
func withServer(t *testing.T) *bench {
	t.Helper()
	b := open(t, "", map[string]string{})
	plain := mcptest.Plain()
	web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return plain }, nil))
	t.Cleanup(web.Close)
	s := mcp.New(mcp.Options{
		Settings: config.MCP{
			Servers:        map[string]config.Server{"files": {URL: web.URL, Local: []string{"add"}}},
			ConnectTimeout: 20 * time.Second,
		},
		Home: b.project, Dir: b.project, Pins: filepath.Join(b.project, "tools.jsonl"), Version: "test", Now: time.Now,
	})
	t.Cleanup(s.Close)
	b.Loop = loop.New(b.home, b.run, loop.Options{Servers: func() (*mcp.Servers, error) { return s, nil }, Wait: 20 * time.Second})
	b.begin()
	_ = b.Definitions(t.Context()) // waits for it
	return b
}

// TestServerWaits: the first question waits for a server that does not answer as long as it is told to, and no longer; no
// other question waits.
func TestServerWaits(t *testing.T) {
	t.Parallel()
	b := open(t, "", map[string]string{})
	over := make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-over:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(web.Close)
	t.Cleanup(func() { close(over) })
	s := mcp.New(mcp.Options{
		Settings: config.MCP{Servers: map[string]config.Server{"slow": {URL: web.URL}}, ConnectTimeout: time.Minute},
		Home:     b.project, Dir: b.project, Pins: filepath.Join(b.project, "tools.jsonl"), Version: "test", Now: time.Now,
	})
	t.Cleanup(s.Close)
	const wait = 700 * time.Millisecond
	b.Loop = loop.New(b.home, b.run, loop.Options{Servers: func() (*mcp.Servers, error) { return s, nil }, Wait: wait})
	for question, waits := range []bool{true, false, false} {
		b.begin()
		at := time.Now()
		list := b.Definitions(t.Context())
		if took := time.Since(at); (took >= wait) != waits || took > 30*time.Second || len(list) == 0 {
			t.Errorf("question %d waited %v; %d tools", question+1, took, len(list))
		}
	}
}

// TestAnotherServer: a yes for a server's tool is none for the same tool of another one under its name, and neither
// is a setting.
func TestAnotherServer(t *testing.T) {
	t.Parallel()
	b := open(t, "", map[string]string{})
	address := func() string {
		web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return mcptest.Plain() }, nil))
		t.Cleanup(web.Close)
		return web.URL
	}
	set, other := config.Server{URL: address(), Local: []string{"*"}}, config.Server{URL: address(), Local: []string{"*"}}
	s := mcp.New(mcp.Options{
		Settings: config.MCP{
			Servers: map[string]config.Server{"files": set}, AutoApprove: []string{"files.add"}, ConnectTimeout: 20 * time.Second,
		},
		Home: b.project, Dir: b.project, Pins: filepath.Join(b.project, "tools.jsonl"), Version: "test", Now: time.Now,
	})
	t.Cleanup(s.Close)
	b.Loop = loop.New(b.home, b.run, loop.Options{Servers: func() (*mcp.Servers, error) { return s, nil }, Wait: 20 * time.Second})
	b.begin()
	_ = b.Definitions(t.Context()) // waits for it
	b.answer = func(runner.Request) (gate.How, error) { return gate.HowSession, nil }
	for range 2 {
		b.call(t, "files__echo", `{"text":"a"}`)
		b.call(t, "files__add", `{"a":1,"b":2}`)
	}
	if len(b.asked) != 1 {
		t.Errorf("asked: %q", b.asked)
	}
	if err := s.Connect(t.Context(), "files", other); err != nil {
		t.Fatal(err)
	}
	b.begin()
	_ = b.Definitions(t.Context())
	b.answer = nil
	for name, args := range map[string]string{"files__echo": `{"text":"a"}`, "files__add": `{"a":1,"b":2}`} {
		if r := b.call(t, name, args); r.State != tool.Refused {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// TestServerAsked: the tool of a server is asked about with all its arguments; a yes counts once, one for the session for
// the tool and for no other, and, once something foreign was read and the tool reaches beyond the machine, for the same
// arguments alone. A no is a result.
func TestServerAsked(t *testing.T) {
	t.Parallel()
	b := withServer(t)
	say := []struct {
		how   gate.How
		err   error
		name  string
		args  string
		state tool.State
		text  string
		asked bool
	}{
		{gate.HowRefused, nil, "files__echo", `{"text":"a"}`, tool.Refused, "the person said no", true},
		{"", &runner.Declined{Words: "later"}, "files__echo", `{"text":"b"}`, tool.Refused, `"later"`, true},
		{gate.HowOnce, nil, "files__echo", `{"text":"c"}`, tool.Done, "c", true},
		{gate.HowSession, nil, "files.echo", `{"text":"d"}`, tool.Done, "d", true},
		{gate.HowRefused, nil, "files__echo", `{"text":"d"}`, tool.Done, "d", false},
		{gate.HowRefused, nil, "files__echo", `{"text":"e"}`, tool.Refused, "no", true}, // of others a result was read by now
		{gate.HowRefused, nil, "files__add", `{"a":1,"b":2}`, tool.Refused, "no", true},
		{gate.HowSession, nil, "files__add", `{"a":1,"b":3}`, tool.Done, "4", true},
		{gate.HowRefused, nil, "files__add", `{"a":1,"b":4}`, tool.Done, "5", false}, // it reaches nothing beyond
		{gate.HowOnce, nil, "files__fail", `{}`, tool.Failed, "failed: no such thing", true},
		{gate.HowOnce, nil, "files__echo", `{"text":`, tool.Invalid, "cannot be read", false},
	}
	for _, c := range say {
		before := len(b.asked)
		b.answer = func(runner.Request) (gate.How, error) { return c.how, c.err }
		r := b.call(t, c.name, c.args)
		if r.State != c.state || !strings.Contains(r.Text, c.text) || len(b.asked) > before != c.asked {
			t.Errorf("%s %s: %+v, asked %q", c.name, c.args, r, b.asked[before:])
		}
		if len(b.asked) > before && c.args != "{}" && b.shown[before] == "" {
			t.Errorf("%s %s: nothing was shown", c.name, c.args)
		}
	}
}
