//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/archtest"
	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
	"ken/internal/proctest"
)

// TestReadme runs what the papers show: every command of every console block,
// in order, on a fresh home directory for each paper, and compares what it
// prints. Times and the random part of session ids may differ. The model
// answers by what the request holds, so that an answer which rests on memory is
// wrong if the memory did not reach it.
//
//ken:indexed
func TestReadme(t *testing.T) {
	root := filepath.Join("..", "..")
	papers, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, paper := range append([]string{filepath.Join(root, "README.md")}, papers...) {
		text, err := os.ReadFile(paper)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		model := llmtest.New(t)
		model.Reply(answerReadme)
		for _, block := range archtest.ConsoleBlocks(text) {
			for _, c := range block {
				ran++
				cmd := proctest.Command(t, "/bin/sh", "-c", c.Text)
				cmd.Dir = dir
				cmd.Env = append(cmd.Env,
					"HOME="+dir, "KEN_NOW=2026-11-21T09:00:00Z",
					"OPENAI_BASE_URL="+model.URL, "KEN_MODEL=test", clitest.Index(),
				)
				out, err := cmd.CombinedOutput()
				if err != nil && !strings.Contains(string(out), "ken: error:") {
					t.Errorf("%s:%d: $ %s: %v", paper, c.Line, c.Text, err)
				}
				want, got := shown(strings.Join(c.Output, "\n")), shown(string(out))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s:%d: $ %s (-shown +printed)\n%s", paper, c.Line, c.Text, diff)
				}
			}
		}
	}
	if ran == 0 {
		t.Error("no paper shows a command")
	}
}

// answerReadme is the model of the papers.
func answerReadme(r llmtest.Request) llmtest.Script {
	msgs := r.Messages()
	system, question := msgs[0].Content, msgs[len(msgs)-1].Content
	switch {
	case strings.Contains(question, "staging") && strings.Contains(system, "kettle.example.org"):
		return llmtest.Text("Run `ssh kettle.", "example.org`.")
	case strings.Contains(question, "staging") && strings.Contains(system, "teapot.example.org"):
		return llmtest.Text("Run `ssh teapot.", "example.org`.")
	case strings.Contains(question, "hello"):
		return llmtest.Text("Hello. ", "What are we building?")
	}
	return llmtest.Text("I do not know.")
}

// shown is text without what differs from run to run.
func shown(text string) []string {
	text = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`).ReplaceAllString(text, "TIME")
	text = regexp.MustCompile(`\d{8}T\d{6}Z-[0-9a-f]{4}`).ReplaceAllString(text, "SESSION")
	return strings.Split(strings.TrimRight(text, "\n"), "\n")
}
