package clitest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/llm/llmtest"
	"ken/internal/proctest"
)

// Index says when ken keeps its index, as "KEN_INDEX=..."; make indexed has what
// searches run with one.
func Index() string { return "KEN_INDEX=" + os.Getenv("KEN_INDEX") }

// Command is ken as a process of its own, with its files below dir, its home and its
// directory, and with a model unless that is nil.
func Command(t testing.TB, dir string, model *llmtest.Server, args ...string) *exec.Cmd {
	t.Helper()
	cmd := proctest.Self(t, args...)
	cmd.Args[0] = "ken"
	cmd.Dir = dir
	cmd.Env = append(cmd.Env, "HOME="+dir, "KEN_HOME="+filepath.Join(dir, "ken"), "TERM=xterm", Index())
	if model != nil {
		cmd.Env = append(cmd.Env, "OPENAI_BASE_URL="+model.URL, "KEN_MODEL=test")
	}
	return cmd
}

// Run runs a command and returns what it printed, and said, and its exit code.
func Run(t testing.TB, dir, stdin string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := Command(t, dir, nil, args...)
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// Shell runs the lines in a shell of its own without a terminal, and returns what it
// said on both outputs.
func Shell(t testing.TB, dir string, lines ...string) string {
	t.Helper()
	cmd := Command(t, dir, nil)
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// Configure writes the settings of the ken below dir, if there are any.
func Configure(t testing.TB, dir, text string) {
	t.Helper()
	if text == "" {
		return
	}
	if err := os.MkdirAll(filepath.Join(dir, "ken"), 0o700); err != nil {
		t.Fatal(err)
	}
	Write(t, filepath.Join(dir, "ken", "config.toml"), text)
}

// Write writes a file of a test.
func Write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// MemoryLines are the lines of the memory file below dir, but for the one about the file.
func MemoryLines(t testing.TB, dir string) []map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "ken", "memory.jsonl"))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]any
	for line := range strings.Lines(string(text)) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		if m["meta"] == nil {
			list = append(list, m)
		}
	}
	return list
}

// Sessions is all session files below dir, one after the other.
func Sessions(t testing.TB, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "ken", "sessions", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(text)
	}
	return b.String()
}

// Needs skips a test whose program is not on this machine.
func Needs(t testing.TB, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s is not installed", program)
	}
}
