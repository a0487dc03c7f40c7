//go:build unix

package shelltest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
	"ken/internal/ttytest"
)

// TestScreensOfTheFirstHour: what a person is asked about a repository's AGENTS.md, a page at a time, how full
// the window is, the help, and a suggestion in the review, on terminals of three widths.
func TestScreensOfTheFirstHour(t *testing.T) {
	t.Parallel()
	for _, width := range []int{40, 80, 200} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			tea := filepath.Join(dir, "tea")
			if err := os.MkdirAll(filepath.Join(tea, ".git"), 0o700); err != nil {
				t.Fatal(err)
			}
			clitest.Write(t, filepath.Join(tea, ".git", "HEAD"), "ref: refs/heads/main\n")
			clitest.Write(t, filepath.Join(tea, "AGENTS.md"), "# tea\n\n"+
				"- Run `make check` before every commit, and never push to `main`.\n"+
				"- The brewing code lives in `internal/brew`; its tests need a kettle that is switched on, and half an hour.\n"+
				"- Commit messages are `area: verb ...`.\n\n## Style\n\n- Short lines, early returns.\n- No new dependencies.\n")
			written := time.Date(2026, 5, 9, 12, 0, 0, 0, time.UTC)
			if err := os.Chtimes(filepath.Join(tea, "AGENTS.md"), written, written); err != nil {
				t.Fatal(err)
			}
			model := llmtest.New(t)
			model.Always(llmtest.Text("By ssh."))
			clitest.Configure(t, dir, "[context]\nenvironment = false\n[models.test]\nbase_url = \""+model.URL+"\"\nmodel = \"m\"\n"+
				"context_tokens = 8192\n")
			start := func(rows int, args ...string) *clitest.Terminal {
				cmd := clitest.Command(t, dir, nil, args...)
				cmd.Dir = tea
				cmd.Env = append(cmd.Env, "KEN_NOW=2026-05-10T12:00:00Z", "LANG=C.UTF-8", "TERM=xterm-256color")
				return clitest.On(t, ttytest.OpenSized(t, cmd, rows, width))
			}
			x := start(10)
			x.Await("[Enter] goes on > ")
			shows(x, fmt.Sprintf("agents_page_%d", width))
			x.Send("q")
			x.Await("]> ")
			x.Quit()

			x = start(40)
			x.Await("[N] not until it changes > ")
			shows(x, fmt.Sprintf("agents_%d", width))
			x.Send("y\r")
			x.Await("]> ")
			x.Send("how do I get there?\r")
			x.Await("By ssh.")
			x.Await("]> ")
			x.Send("\x0c:tokens\r")
			x.Await("in 1 answer")
			x.Await("]> ")
			shows(x, fmt.Sprintf("tokens_%d", width))
			x.Send("\x0c:help\r")
			x.Await("save and leave")
			x.Await("]> ")
			shows(x, fmt.Sprintf("help_%d", width))
			x.Send(":import AGENTS.md\r")
			x.Await("]> ")
			x.Quit()

			x = start(16, "review")
			x.Await("[Enter] next > ")
			shows(x, fmt.Sprintf("review_%d", width))
			x.Send("q")
			x.AwaitEnd()
		})
	}
}
