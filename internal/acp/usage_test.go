package acp

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"

	"ken/internal/llm/llmtest"
)

// TestUsage: behind an answer the editor is told how full the window is and what the conversation has cost; not where nobody says how
// large the window is, and without the cost where there is no price, or the conversation began elsewhere.
func TestUsage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		preset string
		loads  bool
		want   []map[string]any
	}{
		"nobody says": {"", false, nil},
		"a window":    {"context_tokens = 9000", false, []map[string]any{{"sessionUpdate": "usage_update", "used": 12.0, "size": 9000.0}}},
		"a price": {"context_tokens = 9000\nprice_in = 100000.0\nprice_out = 50000.0", false, []map[string]any{
			{"sessionUpdate": "usage_update", "used": 12.0, "size": 9000.0, "cost": map[string]any{"amount": 1.1, "currency": "USD"}},
		}},
		"begun elsewhere": {"context_tokens = 9000\nprice_in = 100000.0", true, []map[string]any{
			{"sessionUpdate": "usage_update", "used": 12.0, "size": 9000.0},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			e := newEditor(t, home)
			e.model.Describe("") // of itself
			e.model.Always(llmtest.Text("All ", "right."))
			config := fmt.Sprintf("model = \"a\"\n[models.a]\nbase_url = %q\nmodel = \"test\"\n%s\n", e.model.URL, c.preset)
			if err := os.MkdirAll(filepath.Join(home, "ken"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(home, "ken", "config.toml"), []byte(config), 0o600); err != nil {
				t.Fatal(err)
			}
			id := e.greet()
			ask := func() {
				t.Helper()
				if reason, err := e.prompt(id, acp.TextBlock("what is new?")); err != nil || reason != acp.StopReasonEndTurn {
					t.Fatal(reason, err)
				}
			}
			ask()
			if c.loads {
				if _, err := request[any](e, "session/close", map[string]any{"sessionId": id}); err != nil {
					t.Fatal(err)
				}
				load := acp.LoadSessionRequest{SessionId: id, Cwd: e.dir, McpServers: []acp.McpServer{}}
				if _, err := request[acp.LoadSessionResponse](e, "session/load", load); err != nil {
					t.Fatal(err)
				}
				e.mu.Lock()
				e.usage = nil
				e.mu.Unlock()
				ask()
			}
			e.mu.Lock()
			defer e.mu.Unlock()
			if diff := cmp.Diff(c.want, e.usage); diff != "" {
				t.Error(diff)
			}
		})
	}
}
