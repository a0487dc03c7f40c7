//go:build unix

package shelltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
	"ken/internal/ttytest"
)

// notASCII is the line of a terminal's output that has the first byte that is not ASCII; "" for none.
func notASCII(raw string) string {
	for line := range strings.Lines(raw) {
		if strings.ContainsFunc(line, func(r rune) bool { return r > 0x7f }) {
			return line
		}
	}
	return ""
}

// TestASCIILocale: where the locale shows no more than ASCII, nothing of ken's own is outside it: not
// what cuts a list, a picker and the prompt, not what stands for an invisible character, no frame.
func TestASCIILocale(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	deep := filepath.Join(dir, strings.Repeat("a-long-name/", 5), "kettle")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	answer := llmtest.Text("| a | b |\n|---|---|\n| x | 1 |\n\n```sh\nls " + strings.Repeat("-l ", 60) + "\n```\n")
	model := llmtest.New(t, answer, answer)
	ascii := []string{"LC_ALL=C"}
	x := screenAt(t, dir, 30, 60, model, ascii...)
	long := strings.TrimSpace(strings.Repeat("the staging host is kettle ", 6))
	for _, c := range []struct{ line, says string }{
		{"cd " + deep, "kettle]> "},
		{":remember " + long, "]> "},
		{":list", "kettle"},
		{"what is a kettle, " + long + "?", "x | 1"},
		{"$echo " + long, "exit 0"},
		{":safety test echo a\u00a0b" + strings.Repeat(" ", 20) + "c", "<U+00A0>"},
		{":retry", "x | 1"},
		{":drop", "dropped turns"},
		{":history", "not sent"},
		{":tokens", "]> "},
		{":help", "]> "},
	} {
		x.Await("]> ")
		x.Send(c.line + "\r")
		x.Await(c.says)
	}
	x.Await("]> ")
	x.Send(":resume\r")
	x.Await("Esc leaves")
	x.Send("\x1b")
	x.Await("]> ")
	raw := strings.ReplaceAll(x.Raw(), "\u00a0", "") // what was typed is echoed
	if line := notASCII(raw); line != "" {
		t.Errorf("the shell shows %q", line)
	}
	if !strings.Contains(raw, "~/~/") || !strings.Contains(raw, "~ --\r\n") {
		t.Error("no directory or no frame was cut: the test sees nothing")
	}
	x.Quit()
	for _, args := range [][]string{
		{"list"},
		{"memory", "list"},
		{"sessions", "list"},
		{"sessions", "search", "kettle"},
		{"recall", "kettle"},
		{"help"},
		{"forget", "--help"},
		{"model", "list"},
		{"doctor"},
		{"why"},
		{"status"},
		{"config", "show"},
		{"memory", "status"},
		{"nonesuch"},
	} {
		cmd := clitest.Command(t, dir, model, args...)
		cmd.Env = append(append(cmd.Env, "KEN_NOW=2026-05-10T12:00:00Z", "TERM=xterm-256color", "LANG=C.UTF-8"), ascii...)
		y := clitest.On(t, ttytest.OpenSized(t, cmd, 30, 60))
		y.Exit()
		y.AwaitEnd()
		if line := notASCII(y.Raw()); line != "" {
			t.Errorf("ken %s shows %q", strings.Join(args, " "), line)
		}
		if y.Raw() == "" {
			t.Errorf("ken %s shows nothing: the test sees nothing", strings.Join(args, " "))
		}
	}
}
