package httpapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/proctest"
)

// suiteIn names the directory in which npm installed the protocol's conformance suite. Without it there is no suite to run:
// make conformance-server sets it.
const suiteIn = "KEN_CONFORMANCE"

// suiteVersion is the suite that the numbers are of.
const suiteVersion = "0.2.0-alpha.12"

// TestConformance: the server passes the protocol's conformance suite in both revisions but for what baseline.yml says. It is
// the server that is shipped, behind the same checks, with the tools that the suite asks for added.
func TestConformance(t *testing.T) {
	dir := os.Getenv(suiteIn)
	if dir == "" {
		t.Skip("no suite: make conformance-server runs it")
	}
	version, err := os.ReadFile(filepath.Join(dir, "node_modules", "@modelcontextprotocol", "conformance", "package.json"))
	if err != nil || !strings.Contains(string(version), `"version": "`+suiteVersion+`"`) {
		t.Fatalf("the suite is not %s: %v", suiteVersion, err)
	}
	bin := filepath.Join(dir, "node_modules", ".bin")
	baseline, err := filepath.Abs(filepath.Join("testdata", "conformance"))
	if err != nil {
		t.Fatal(err)
	}
	run := func(t *testing.T, sessions bool, want string, args ...string) {
		t.Helper()
		args = append([]string{"server", "--url", suiteServer(t, sessions) + "/mcp"}, args...)
		cmd := proctest.Command(t, filepath.Join(bin, "conformance"), args...)
		cmd.Env = append(cmd.Env, "PATH="+bin+string(filepath.ListSeparator)+proctest.Path())
		cmd.Dir = t.TempDir()
		out, err := cmd.CombinedOutput()
		if err != nil || !regexp.MustCompile(want).Match(out) {
			t.Errorf("%v, want %s\n%s", err, want, out)
		}
		_, summary, _ := strings.Cut(string(out), "=== SUMMARY ===")
		t.Log(summary)
	}
	// What only a server can be tried for that keeps sessions, which ken has over standard streams alone.
	for _, scenario := range []string{
		"tools-call-sampling", "tools-call-elicitation", "elicitation-sep1034-defaults", "elicitation-sep1330-enums",
		"server-sse-multiple-streams",
	} {
		t.Run("with sessions/"+scenario, func(t *testing.T) {
			run(t, true, `Passed: [1-9]/[1-9], 0 failed, 0 warnings`, "--scenario", scenario, "--spec-version", "2025-11-25")
		})
	}
	// As many as the suite has: with fewer it did not try what it seems to.
	for revision, total := range map[string]string{"2025-11-25": "63 passed, 4 failed", "2026-07-28": "163 passed, 30 failed"} {
		t.Run(revision, func(t *testing.T) {
			run(t, false, "Total: "+total, "--requirements", revision, "--expected-failures", filepath.Join(baseline, revision+".yml"))
		})
	}
}

// suiteServer is a server to which every request comes with a token: the suite has none. sessions has it keep sessions.
func suiteServer(t *testing.T, sessions bool) (url string) {
	t.Helper()
	b := newBed(t)
	b.s.mcp = mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server {
		s := b.s.assistants(r)
		addProbes(s)
		return s
	}, &mcp.StreamableHTTPOptions{Stateless: !sessions, MaxRequestBodyBytes: mostBody})
	l := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+b.token)
		b.s.ServeHTTP(w, r)
	}))
	l.Config.ReadTimeout = time.Minute
	b.s.hosts[l.Listener.Addr().String()] = true
	l.Start()
	t.Cleanup(l.Close)
	return fmt.Sprint("http://", l.Listener.Addr())
}
