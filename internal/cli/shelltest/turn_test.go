package shelltest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// TestAskAndShell: questions of the command line, each of which goes on with the last,
// and the same lines of a shell are the same requests, byte for byte, and print the same
// answers.
func TestAskAndShell(t *testing.T) {
	t.Parallel()
	questions := []string{"where is the staging host?", "and the lamp on the desk?", "which host is it?"}
	each, whole := llmtest.New(t), llmtest.New(t)
	each.Always(llmtest.Text("it is ", "there"))
	whole.Always(llmtest.Text("it is ", "there"))

	dir := remembering(t)
	var asked bytes.Buffer
	for i, q := range questions {
		// A run knows the use of memories as it was when it began.
		if err := os.RemoveAll(filepath.Join(dir, "ken", "usage.jsonl")); err != nil {
			t.Fatal(err)
		}
		args := []string{"ask", q}
		if i > 0 {
			args = []string{"ask", "-c", q}
		}
		cmd := clitest.Command(t, dir, each, args...)
		cmd.Env = append(cmd.Env, "KEN_NOW=2026-03-10T12:00:00Z")
		cmd.Stdout, cmd.Stderr = &asked, os.Stderr
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
	}

	cmd := clitest.Command(t, remembering(t), whole)
	cmd.Env = append(cmd.Env, "KEN_NOW=2026-03-10T12:00:00Z")
	cmd.Stdin = strings.NewReader(strings.Join(questions, "\n") + "\n")
	said, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(asked.String(), string(said)); diff != "" {
		t.Errorf("answers (-ask +shell)\n%s", diff)
	}
	bodies := func(s *llmtest.Server) (list []string) {
		for _, r := range s.Requests() {
			list = append(list, string(r.Body))
		}
		return list
	}
	if diff := cmp.Diff(bodies(each), bodies(whole)); diff != "" || len(bodies(whole)) != len(questions) {
		t.Errorf("%d requests (-ask +shell)\n%s", len(bodies(whole)), diff)
	}
	if last := bodies(whole)[1]; !strings.Contains(last, "green") {
		t.Errorf("nothing of the memory went along: %s", last)
	}
}

// remembering is a directory of a person who has a memory, a profile and a session
// context.
func remembering(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "ken"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"memory.jsonl": `{"id":1,"ts":"2026-01-02T10:00:00Z","kind":"fact","content":"the staging host is called kettle"}
{"id":2,"ts":"2026-01-03T10:00:00Z","kind":"fact","content":"the lamp on the desk is green"}
`,
		"profile.md":  "Ada, who drinks tea\n",
		"config.toml": "[memory]\nuser_namespace = \"ada\"\nproactive_session_greeting = true\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, "ken", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
