//go:build unix

package shelltest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
)

// memories is what is active in the home of a test, as ken list has it.
func memories(t *testing.T, dir string) string {
	t.Helper()
	out, err := clitest.Command(t, dir, nil, "memory", "list", "--json").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// ran runs ken and fails the test if that fails.
func ran(t *testing.T, dir string, env []string, args ...string) {
	t.Helper()
	cmd := clitest.Command(t, dir, nil, args...)
	cmd.Env = append(cmd.Env, env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("ken %q: %v: %s", args, err, out)
	}
}

// TestGATE12YesBeforeTheText: an answer that was typed before the question stood there,
// as when two lines are pasted, answers nothing: nothing comes in, and nothing goes.
func TestGATE12YesBeforeTheText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args  string
		typed string // before anything is shown
		asks  string
	}{
		{"review", "y", "keep it? "},
		{"review", "yyyy\r", "keep it? "},
		{"forget kettle", "y\r", "forget it? [y] yes  [N] no > "},
		{"forget --scope user", "y\r", "? [y] yes  [N] no > "},
		{"forget a", "all\r", "forget which? "},
		{"memory clear", "yes\r", "? [y] yes  [N] no > "},
		{"erase 1", "y\r", "erase for good"},
		{"erase 1", "y\ry\r", "erase for good"},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			ran(t, dir, nil, "remember", "the staging host is a kettle")
			ran(t, dir, nil, "remember", "a port is 4000")
			ran(t, dir, []string{"KEN_ORIGIN=tool"}, "remember", "the tool says so")
			before := memories(t, dir)
			cmd := clitest.Command(t, dir, nil, strings.Fields(c.args)...)
			cmd.Path, cmd.Args = "/bin/bash", append([]string{"bash", "-c", `read go; exec -a ken "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)
			x := clitest.Open(t, cmd)
			x.Send("\r" + c.typed)
			x.Await(c.asks)
			x.Send("\x03")
			x.Exit()
			if after := memories(t, dir); after != before {
				t.Errorf("typed ahead, it was an answer:\n%s\n%s", before, after)
			}
		})
	}
}

// TestGATE12InTheShell: in the shell what is typed ahead of a question is the next
// line, and a yes behind a pasted command answers nothing.
func TestGATE12InTheShell(t *testing.T) {
	t.Parallel()
	c := newClone(t, `{"id":1,"content":"the port is 4000"}`)
	ran(t, c.home, []string{"KEN_ORIGIN=tool"}, "remember", "the tool says so")
	x := clitest.Start(t, c.home, c.model)
	for _, line := range []string{":review", ":memory trust use team"} {
		x.Await("]> ")
		if line != ":review" {
			x.Send("cd tea\r")
			x.Await("see it: ")
			x.Await("]> ")
		}
		x.Send(line + "\ry\r")
		if line == ":review" {
			x.Await("keep it? ")
			x.Send("q")
		} else {
			x.Await("use it in this repository? [y] yes  [N] no > ")
			x.Send("\r")
			x.Await("team is not used")
		}
		x.Await("fine") // the y is a question
	}
	quit(x)
	if out := memories(t, c.home); strings.Contains(out, "tool says so") || strings.Contains(out, "4000") {
		t.Errorf("it was let in:\n%s", out)
	}
}

// TestGATE12Pages: what a repository brings is shown a screen at a time, a long line
// over as many as it takes; who leaves before the end has agreed to nothing.
func TestGATE12Pages(t *testing.T) {
	t.Parallel()
	lines := []string{fmt.Sprintf(`{"id":1,"content":"%s end of it"}`, strings.Repeat("long ", 600))}
	for i := 2; i < 60; i++ {
		lines = append(lines, fmt.Sprintf(`{"id":%d,"content":"note number %d"}`, i, i))
	}
	c := newClone(t, lines...)
	cmd := clitest.Command(t, c.home, nil, "memory", "trust", "use", "team")
	cmd.Dir = filepath.Join(c.home, "tea")
	x := clitest.Open(t, cmd)
	x.Await("page 1 of ")
	if out := x.Text(); strings.Contains(out, "note number") {
		t.Errorf("a line that is longer than the screen scrolled away:\n%s", out)
	}
	x.Send("\r")
	x.Await("page 2 of ")
	x.Send("\r")
	x.Await("end of it")
	x.Await("page 3 of ")
	x.Send("q")
	x.Await("team is not used")
	x.Exit()

	cmd = clitest.Command(t, c.home, nil, "memory", "trust", "use", "team")
	cmd.Dir = filepath.Join(c.home, "tea")
	x = clitest.Open(t, cmd)
	for i := 1; ; i++ {
		x.Await(fmt.Sprintf("page %d of ", i))
		x.Send("\r")
		if i == 4 {
			break
		}
	}
	x.Await("note number 59")
	x.Await("use it in this repository? [y] yes  [N] no > ")
	x.Send("y\r")
	x.Await("team is used")
	x.Exit()
	if b, err := os.ReadFile(filepath.Join(c.home, "ken", "trust.jsonl")); err != nil || !strings.Contains(string(b), "use") {
		t.Errorf("%s, %v", b, err)
	}
}

// TestGATE12LongProposal: what waits in the review is shown whole, and cannot be let in
// before its end was on the screen.
func TestGATE12LongProposal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ran(t, dir, []string{"KEN_ORIGIN=tool"}, "remember", strings.Repeat("harmless ", 500)+"and the payload")
	x := clitest.Open(t, clitest.Command(t, dir, nil, "review"))
	x.Await("page 1 of 4: [q] quit  [Enter] goes on > ")
	if strings.Contains(x.Text(), "payload") || strings.Contains(x.Text(), "keep it?") {
		t.Errorf("it was not shown in pages:\n%s", x.Text())
	}
	x.Send("q")
	x.Exit()
	x = clitest.Open(t, clitest.Command(t, dir, nil, "review"))
	x.Await("page 1 of 4")
	x.Send("y\r") // no answer to this
	x.Await("\"y\" is no answer")
	x.Await("page 1 of 4")
	x.Send("\r")
	for i := 2; i < 4; i++ {
		x.Await(fmt.Sprintf("page %d of 4", i))
		x.Send("\r")
	}
	x.Await("payload")
	x.Await("keep it? ")
	x.Send("y")
	x.Await("kept #1")
	x.Exit()
}
