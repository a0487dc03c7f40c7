package battery

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/llm/llmtest"
	"ken/internal/proctest"
)

// TestAgents sets up the real programs of other assistants with ken setup, and has each ask a scripted model: a memory is in
// what the model is sent, and once it is taken out again nothing of ken is in the settings, which are as before where the
// program itself does not write them anew, as qwen does. KEN_AGENTS is where they are installed, each in a
// directory of its own by npm: make agents sees to it.
func TestAgents(t *testing.T) {
	installed := os.Getenv("KEN_AGENTS")
	if installed == "" {
		t.Skip("the programs of others are installed by make agents")
	}
	bin := filepath.Join(t.TempDir(), "ken")
	if out, err := proctest.Go(t, "build", "-o", bin, "ken/cmd/ken").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, a := range []struct {
		name, settings, text string
		argv, env            func(url string) []string
	}{
		{
			"qwen", ".qwen/settings.json", "{\n  // mine\n  \"ui\": {\"theme\": \"x\"}\n}\n",
			func(string) []string { return []string{"--auth-type", "openai", "where is staging?"} },
			func(url string) []string {
				return []string{"OPENAI_API_KEY=test", "OPENAI_BASE_URL=" + url + "/v1", "OPENAI_MODEL=test", "QWEN_CODE_NO_RELAUNCH=1"}
			},
		},
		{
			"copilot", ".copilot/mcp-config.json", "{\n  \"mcpServers\": {}\n}\n",
			func(string) []string { return []string{"-s", "-p", "where is staging?"} },
			func(url string) []string {
				return []string{"COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false", "COPILOT_MODEL=test", "COPILOT_PROVIDER_BASE_URL=" + url + "/v1"}
			},
		},
	} {
		t.Run(a.name, func(t *testing.T) {
			model := llmtest.New(t)
			model.Always(llmtest.Text("DONE"))
			home := t.TempDir()
			run := func(program string, args ...string) {
				t.Helper()
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				cmd := proctest.CommandContext(t, ctx, program, args...)
				cmd.Dir = home
				cmd.Env = append(append(cmd.Env, "HOME="+home, "KEN_HOME="+filepath.Join(home, "kept")), a.env(model.URL)...)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%s %v: %v\n%s", program, args, err, out)
				}
			}
			path := filepath.Join(home, a.settings)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(a.text), 0o600); err != nil {
				t.Fatal(err)
			}
			run(bin, "remember", "the staging host is kettle")
			run(bin, "setup", a.name, "--command", bin, "--yes")
			run(bin, "setup", a.name, "--command", bin, "--check")
			run(filepath.Join(installed, a.name, "node_modules", ".bin", a.name), a.argv(model.URL)...)
			found := false
			for _, r := range model.Requests() {
				found = found || strings.Contains(string(r.Body), "the staging host is kettle")
			}
			if !found {
				t.Error("no memory was in what the model was sent")
			}
			run(bin, "setup", a.name, "--remove", "--yes")
			if b, err := os.ReadFile(path); err != nil || a.name == "copilot" && string(b) != a.text || strings.Contains(string(b), bin) {
				t.Errorf("left: %v\n%s", err, b)
			}
		})
	}
}
