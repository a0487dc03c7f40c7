package mcp_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/config"
	"ken/internal/tool/mcp"
	"ken/internal/tool/mcp/mcptest"
)

// TestPlain: a server on its standard streams is started, its tools are there under names for
// models, and each kind of result comes back as text.
func TestPlain(t *testing.T) {
	t.Parallel()
	s := up(t, options(t, map[string]config.Server{"p": odd(t, "plain")}))
	plain(t, s)
	if said := s.Said(); len(said) > 0 {
		t.Errorf("said %q", said)
	}
	if st := s.List(); len(st) != 1 || st[0].Is != "ready" || st[0].Version != "2025-11-25" || st[0].Tools != 9 {
		t.Errorf("%+v", st)
	}
}

// plain tries a server like mcptest.Plain.
func plain(t *testing.T, s *mcp.Servers) {
	t.Helper()
	for _, tt := range []struct{ name, args, want string }{
		{"p__echo", `{"text":"hello"}`, "hello"},
		{"p.echo", `{"text":"hello"}`, "hello"},
		{"p__add", `{"a":"20","b":22}`, `{"sum":42}`},
		{"p__fail", `{}`, "! no such thing"},
		{"p__picture", `{"note":"x"}`, "here it is\n[image/png, 4 KB, not shown]\n[resource mem://note: a note]"},
		{"p__nothing", `{"note":"x"}`, "got {}"},
	} {
		r := call(t, s, tt.name, tt.args)
		got := r.Text
		if r.Failed {
			got = "! " + got
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || r.Unknown {
			t.Errorf("%s %s (-want +got)\n%s", tt.name, tt.args, diff)
		}
	}
	if r := call(t, s, "p__add", `{"a":"x"}`); !r.Failed || r.Unknown || !strings.Contains(r.Text, "a") {
		t.Errorf("arguments that the server refuses: %+v", r)
	}
	r := call(t, s, "p__big", `{"mb":10}`)
	if r.Failed || len(r.Text) > 300<<10 || !strings.HasPrefix(r.Text, "BEGIN ") || !strings.HasSuffix(r.Text, " END") ||
		!strings.Contains(r.Text, "10 MB left out") {
		t.Errorf("10 MB: %d bytes, %.20q ... failed %v", len(r.Text), r.Text, r.Failed)
	}
	c, err := s.Read("p__steps", nil)
	if err != nil {
		t.Fatal(err)
	}
	steps := make(chan mcp.Progress, 10)
	if r := s.Run(t.Context(), c, func(p mcp.Progress) { steps <- p }); r.Text != "done" {
		t.Errorf("%+v", r)
	}
	for i := 1; i <= 3; i++ {
		select {
		case p := <-steps:
			if diff := cmp.Diff(mcp.Progress{Done: float64(i), Of: 3, Text: fmt.Sprintf("step %d", i)}, p); diff != "" {
				t.Error(diff)
			}
		default:
			t.Errorf("no step %d", i)
		}
	}
	resources, not, err := s.Wares().Resources(t.Context(), "p")
	if diff := cmp.Diff([]mcp.Resource{{URI: "mem://note", About: "note: a note"}}, resources); diff != "" || err != nil || not != nil {
		t.Errorf("%v %s %q", err, diff, not)
	}
	if text, err := s.Wares().Resource(t.Context(), "p", "mem://note"); text != "buy bread" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := s.Wares().Resource(t.Context(), "p", "mem://other"); err == nil {
		t.Error("a resource that is not there")
	}
	prompts, not, err := s.Wares().Prompts(t.Context(), "p")
	args := []mcp.Arg{{Name: "who", Label: "who", Required: true}}
	if diff := cmp.Diff([]mcp.Prompt{{Name: "greet", About: "Greet somebody.", Args: args}}, prompts); diff != "" || err != nil || not != nil {
		t.Errorf("%v %s %q", err, diff, not)
	}
	if text, err := s.Wares().Prompt(t.Context(), "p", "greet", map[string]string{"who": "Ada"}); text != "Say hello to Ada." || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

// TestHTTP: a server at an address is asked in the newer protocol, and in the older one if it has sessions;
// it gets the token, and nobody else does.
func TestHTTP(t *testing.T) {
	t.Parallel()
	for _, stateless := range []bool{true, false} {
		t.Run(fmt.Sprint(stateless), func(t *testing.T) {
			t.Parallel()
			h := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return mcptest.Plain() },
				&sdk.StreamableHTTPOptions{Stateless: stateless})
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") != "Bearer geheim" {
					http.Error(w, "who are you?", http.StatusUnauthorized)
					return
				}
				h.ServeHTTP(w, r)
			}))
			t.Cleanup(srv.Close)
			s := up(t, options(t, map[string]config.Server{
				"p": {URL: srv.URL + "/mcp", AuthEnv: "MY_API_KEY"}, "q": {URL: srv.URL}, "r": {URL: srv.URL, AuthEnv: "NOT_SET"},
				"s": {URL: "http://192.0.2.1/mcp", AuthEnv: "MY_API_KEY"},
			}))
			want := map[bool]string{true: "2026-07-28", false: "2025-11-25"}[stateless]
			st := s.List()
			if st[0].Is != "ready" || st[0].Version != want {
				t.Fatalf("%+v; want %s", st[0], want)
			}
			for i, why := range []string{"Unauthorized", "$NOT_SET is not set", "plain http"} {
				if st[i+1].Is != "failed" || !strings.Contains(st[i+1].Why, why) {
					t.Errorf("%+v; want %s", st[i+1], why)
				}
			}
			plain(t, s)
			s.Close()
		})
	}
}

// TestEnviron: a server has what its table says, and nothing else of ken's environment.
func TestEnviron(t *testing.T) {
	t.Parallel()
	env := []string{
		"PATH=/bin", "HOME=/h", "LC_ALL=C", "XDG_CACHE_HOME=/c", "TERM=xterm", "PASSED=y",
		"MY_API_KEY=geheim", "GITHUB_TOKEN=geheim", "OTHER=x", "KEN_HOME=/k",
	}
	got := mcp.Environ(env, config.Server{Env: map[string]string{"OWN": "1", "TERM": "dumb"}, EnvPass: []string{"PASSED", "NOT_THERE"}})
	want := []string{"PATH=/bin", "HOME=/h", "LC_ALL=C", "XDG_CACHE_HOME=/c", "PASSED=y", "OWN=1", "TERM=dumb", "KEN_ORIGIN=tool"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestNoSelf: ken does not start itself as a server, nor any server where it runs for a tool.
func TestNoSelf(t *testing.T) {
	t.Parallel()
	set := odd(t, "plain")
	o := options(t, map[string]config.Server{"p": set})
	o.Self = set.Command[0]
	s := up(t, o)
	if st := s.List(); st[0].Is != "failed" || !strings.Contains(st[0].Why, "ken itself") {
		t.Errorf("%+v", st)
	}
	o.Self, o.Env = "", append(o.Env, "KEN_ORIGIN=tool")
	s = up(t, o)
	if st := s.List(); st[0].Is != "failed" || !strings.Contains(st[0].Why, "runs for a tool") {
		t.Errorf("%+v", st)
	}
}

// TestStartNeverWaits: a server that says nothing holds nobody up, and is given up in time.
func TestStartNeverWaits(t *testing.T) {
	t.Parallel()
	silent := odd(t, "silent")
	silent.ConnectTimeout = 300 * time.Millisecond
	s := mcp.New(options(t, map[string]config.Server{"silent": silent, "p": odd(t, "plain")}))
	t.Cleanup(s.Close)
	s.Start()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s.Await(ctx)
	if ctx.Err() != nil {
		t.Fatal("it waits for ever")
	}
	if r := call(t, s, "p__echo", `{"text":"x"}`); r.Text != "x" {
		t.Errorf("%+v", r)
	}
	if said := strings.Join(s.Said(), "\n"); said != "silent: it did not answer in time" {
		t.Errorf("said %q", said)
	}
	s.Start()
	if st := s.List(); st[1].Is != "failed" {
		t.Errorf("it is not left alone: %+v", st[1])
	}
}

// TestElicit: a server that asks the person is answered by them, or told no where nobody can be asked.
func TestElicit(t *testing.T) {
	t.Parallel()
	o := options(t, map[string]config.Server{"p": odd(t, "plain")})
	var asked mcp.Question
	o.Elicit = func(_ context.Context, q mcp.Question) (map[string]any, bool) {
		asked = q
		return map[string]any{"colour": "green"}, true
	}
	if r := call(t, up(t, o), "p__ask", "{}"); r.Text != "accept green" {
		t.Errorf("%+v", r)
	}
	field := mcp.Field{Name: "colour", Label: "a colour", Type: "string", Required: true}
	want := mcp.Question{Server: "p", Text: "Which colour?", Fields: []mcp.Field{field}}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Error(diff)
	}
	o.Elicit = func(context.Context, mcp.Question) (map[string]any, bool) { return nil, false }
	if r := call(t, up(t, o), "p__ask", "{}"); r.Text != "decline <nil>" {
		t.Errorf("%+v", r)
	}
	o.Elicit = nil
	if r := call(t, up(t, o), "p__ask", "{}"); !r.Failed {
		t.Errorf("%+v", r)
	}
}

// TestLocal: that a tool reaches nothing beyond the machine is what the person says, and not what its server does.
func TestLocal(t *testing.T) {
	t.Parallel()
	says := odd(t, "plain") // of add that it is of a closed world
	named := says
	named.Local = []string{"echo"}
	all := says
	all.Local = []string{"*"}
	s := up(t, options(t, map[string]config.Server{"plain": says, "named": named, "all": all}))
	for server, local := range map[string]func(name string) bool{
		"plain": func(string) bool { return false },
		"named": func(name string) bool { return name == "echo" },
		"all":   func(string) bool { return true },
	} {
		tools, _, _ := s.Tools(server)
		for _, one := range tools {
			if s.Local(one) != local(one.Name) {
				t.Errorf("%s: %v", one.Shown, s.Local(one))
			}
		}
		if len(tools) == 0 {
			t.Errorf("%s: no tools", server)
		}
	}
}

// TestIdentity: a yes for a tool is for the server as it is set: with another environment, directory or token it is another
// one, and a call that was read before it came is not made of it. How long it has to answer is nobody's yes.
func TestIdentity(t *testing.T) {
	t.Parallel()
	set := odd(t, "plain")
	set.Local = []string{"*"}
	o := options(t, map[string]config.Server{"p": set})
	o.Settings.AutoApprove = []string{"p.*"}
	s := up(t, o)
	read := func() mcp.Call {
		t.Helper()
		c, err := s.Read("p__echo", []byte(`{"text":"hello"}`))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	was := read()
	seen := map[string]string{s.Identity(was.Tool): "as it was"}
	for _, c := range []struct {
		what   string
		change func(*config.Server)
		same   bool
	}{
		{"time", func(set *config.Server) { set.ConnectTimeout = 19 * time.Second }, true},
		{"local", func(set *config.Server) { set.Local = nil }, true},
		{"env", func(set *config.Server) { set.Env = map[string]string{serverEnv: "plain", "SECRET_PLACE": "elsewhere"} }, false},
		{"env_pass", func(set *config.Server) { set.EnvPass = []string{"MY_API_KEY"} }, false},
		{"cwd", func(set *config.Server) { set.Cwd = "." }, false},
		{"auth_env", func(set *config.Server) { set.AuthEnv = "MY_API_KEY" }, false},
		{"args", func(set *config.Server) { set.Args = []string{"more"} }, false},
	} {
		other := set
		c.change(&other)
		before := read()
		if err := s.Connect(t.Context(), "p", other); err != nil {
			t.Fatal(err)
		}
		if r := s.Run(t.Context(), before, nil); !r.Failed || r.Unknown || !strings.HasPrefix(r.Text, "not run: ") {
			t.Errorf("%s: a call of the server before it: %+v", c.what, r)
		}
		if err := s.Approved(t.Context(), before.Tool); err == nil {
			t.Errorf("%s: a yes for the server before it is kept for this one", c.what)
		}
		now := read()
		id := s.Identity(now.Tool)
		if like := seen[id]; (like != "") != c.same || strings.Contains(id, "elsewhere") {
			t.Errorf("%s: %s, like %q", c.what, id, like)
		}
		seen[id] = c.what
		if s.AutoApproved(now.Tool) || s.Local(now.Tool) {
			t.Errorf("%s: what the settings say of another one counts for it", c.what)
		}
		if r := s.Run(t.Context(), now, nil); r.Text != "hello" {
			t.Errorf("%s: %+v", c.what, r)
		}
	}
}
