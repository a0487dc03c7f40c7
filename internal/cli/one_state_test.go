//go:build unix

package cli_test

import (
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/agent/talk"
	"ken/internal/app"
	"ken/internal/app/owner"
	"ken/internal/cli/clitest"
	"ken/internal/session"
	"ken/internal/view"
)

// A stating states texts for a memory of its own, and says in a line what came of each.
type stating func(t *testing.T, kind, text string) string

// became is an outcome in a line: what was done, what it contradicts, and whether commands are checked by it.
func became(o view.Outcome, err error) string {
	if err != nil {
		return "refused: " + err.Error()
	}
	line := o.Did + " #" + o.Ref
	if len(o.Contradicts) > 0 {
		line += " against #" + strings.Join(o.Contradicts, " #")
	}
	if strings.HasPrefix(o.Binds, "checked: ") {
		line += ", binds"
	}
	return line
}

// appAt is the memory below a directory.
func appAt(dir string) *app.App {
	vars := map[string]string{"HOME": dir, "KEN_HOME": filepath.Join(dir, "ken")}
	return app.Open(app.Options{Getenv: func(name string) string { return vars[name] }, Now: time.Now, Clock: time.Now, Local: []string{}})
}

func stateByCommand(t *testing.T) stating {
	t.Helper()
	dir := t.TempDir()
	return func(t *testing.T, kind, text string) string {
		t.Helper()
		args := []string{"remember", "--json", text}
		if kind != "" {
			args = append(args, "--kind", kind)
		}
		out, errs, code := clitest.Run(t, dir, "", args...)
		if code != 0 {
			said, _, _ := strings.Cut(strings.TrimPrefix(errs, "ken: error: "), "\n")
			return "refused: " + said
		}
		var deeds []view.Outcome
		if err := json.Unmarshal([]byte(out), &deeds); err != nil || len(deeds) != 1 {
			t.Fatal(out, errs, err)
		}
		return became(deeds[0], nil)
	}
}

func stateOnPage(t *testing.T) stating {
	t.Helper()
	o := owner.New(appAt(t.TempDir()), "web")
	return func(t *testing.T, kind, text string) string {
		t.Helper()
		return became(o.Remember(t.Context(), kind, text))
	}
}

// stateTalking is /remember, as the phone and an editor have it.
func stateTalking(t *testing.T) stating {
	t.Helper()
	d, err := talk.Open(t.Context(), talk.Options{
		Memory: appAt(t.TempDir()), Channel: session.ChannelTelegram, Who: app.Actor{Kind: app.Person}, Warn: func(err error) { t.Error(err) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close(t.Context()) })
	return func(t *testing.T, kind, text string) string {
		t.Helper()
		if kind != "" {
			return "" // no kind is typed there
		}
		said, err := d.Do(t.Context(), "remember", text)
		if err != nil {
			return "refused: " + err.Error()
		}
		if ref, ok := strings.CutPrefix(said, "already remembered as "); ok {
			return "duplicate " + ref
		}
		line := regexp.MustCompile(`^remembered #\d+`).FindString(said)
		for _, ref := range refsOf(`(?m)^#(\d+) hardly holds beside it`, said) {
			line += " against #" + ref
		}
		return line
	}
}

// serves has ken serve a new memory, and is what a program is to be given.
func serves(t *testing.T) (at, key string) {
	t.Helper()
	dir := t.TempDir()
	key = token(t, dir, "client")
	return served(t, dir, "serve", "--tcp", "127.0.0.1:0"), key
}

func stateOverHTTP(t *testing.T) stating {
	t.Helper()
	at, key := serves(t)
	return func(t *testing.T, kind, text string) string {
		t.Helper()
		body, _ := json.Marshal(map[string]string{"text": text, "kind": kind})
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at+"/api/memories", strings.NewReader(string(body)))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+key)
		r.Header.Set("Content-Type", "application/json")
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = got.Body.Close() }()
		answer, err := io.ReadAll(got.Body)
		if err != nil {
			t.Fatal(err)
		}
		var o struct {
			view.Outcome
			Error struct{ Message string }
		}
		if err := json.Unmarshal(answer, &o); err != nil {
			t.Fatal(string(answer), err)
		}
		if o.Error.Message != "" {
			return "refused: " + o.Error.Message
		}
		return became(o.Outcome, nil)
	}
}

func stateOverMCP(t *testing.T) stating {
	t.Helper()
	at, key := serves(t)
	d := door{"MCP", func(*testing.T, string) mcp.Transport {
		return &mcp.StreamableClientTransport{
			Endpoint: at + "/mcp", DisableStandaloneSSE: true,
			HTTPClient: &http.Client{Transport: bearer{key, http.DefaultTransport}, Timeout: time.Minute},
		}
	}, ""}
	s := d.joins(t, key, "")
	t.Cleanup(func() { _ = s.Close() })
	return func(t *testing.T, kind, text string) string {
		t.Helper()
		said, bad := calls(t, s, "remember", map[string]any{"text": text, "kind": kind})
		if bad {
			said, _, _ = strings.Cut(said, "\n")
			return "refused: " + said
		}
		m := regexp.MustCompile(`^(.+) as (p\d+)`).FindStringSubmatch(said)
		if m == nil {
			t.Fatal(said)
		}
		return m[1] + " #" + m[2]
	}
}

// TestFacesSayTheSame: what a person states at any face comes to the same, in the same words; what a program states waits at any.
func TestFacesSayTheSame(t *testing.T) {
	t.Parallel()
	secret := "ghp_" + "x7Kq2mVb9RtLw4YzPn8s" + "Df3hGj6cAe1uTo5i"
	command := stateByCommand(t)
	person := map[string]stating{"ken remember": command, "the page": stateOnPage(t), "/remember": stateTalking(t)}
	agent := map[string]stating{"HTTP": stateOverHTTP(t), "MCP": stateOverMCP(t)}
	for _, c := range []struct{ kind, text, person, agent string }{
		{"", "the staging host is kettle", "remembered #1", "proposed #p1"},
		{"", "the staging host is kettle", "duplicate #1", "proposed #p1"},
		{"", "the staging host is drum", "remembered #2 against #1", "proposed #p2"},
		{"", "the token is " + secret, "refused: ", "proposed #p3"},
		{"preference", "tabs over spaces", "remembered #3", "proposed #p4"},
		{"nonsense", "tabs over spaces", "refused: ", "refused: "},
		{"forget", "tabs over spaces", "refused: ", "refused: "},
	} {
		for _, of := range []struct {
			all  map[string]stating
			want string
		}{{person, c.person}, {agent, c.agent}} {
			said := ""
			for name, state := range of.all {
				got := state(t, c.kind, c.text)
				if got == "" {
					continue
				}
				if said == "" {
					said = got
				}
				if got != said || got != of.want && (of.want != "refused: " || !strings.HasPrefix(got, of.want)) {
					t.Errorf("%s %q: %s says %q, another %q, want %q", c.kind, c.text, name, got, said, of.want)
				}
			}
		}
	}
	const rule = "never run git push"
	if got := command(t, "rule", rule); got != "remembered #4, binds" {
		t.Errorf("at the terminal a rule is %q", got)
	}
	if got := person["the page"](t, "rule", rule); !strings.HasPrefix(got, "refused: a rule needs the terminal") {
		t.Errorf("on the page a rule is %q", got)
	}
	for name, state := range agent {
		if got := state(t, "rule", rule); got != "proposed #p5" {
			t.Errorf("over %s a rule is %q", name, got)
		}
	}
}
