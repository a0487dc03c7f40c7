//go:build linux

package shelltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/proctest"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
	"ken/internal/runner"
)

// aside is a home with a project in it, at a terminal, where a command can be rehearsed.
func aside(t *testing.T, model *llmtest.Server, args ...string) (x *clitest.Terminal, project string) {
	t.Helper()
	if err := runner.CanRehearse(t.Context(), t.TempDir()); err != nil {
		t.Skipf("nothing can be rehearsed here: %v", err)
	}
	dir := t.TempDir()
	project = filepath.Join(dir, "project")
	if err := os.Mkdir(project, 0o700); err != nil {
		t.Fatal(err)
	}
	clitest.Write(t, filepath.Join(project, "kept"), "kept\n")
	cmd := clitest.Command(t, dir, model, args...)
	cmd.Dir = project
	return clitest.Open(t, cmd), project
}

// holds fails unless the project holds these, parted by blanks.
func holds(t *testing.T, project, want string) {
	t.Helper()
	entries, err := os.ReadDir(project)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	if got := strings.Join(list, " "); got != want {
		t.Errorf("the project holds %q, want %q", got, want)
	}
}

// TestRH3Terminal: what was rehearsed is applied by a key, and by nothing else; it is taken back whole, and what somebody changed
// while the question stood is not written over.
func TestRH3Terminal(t *testing.T) {
	t.Parallel()
	x, project := aside(t, nil)
	rehearse := func() {
		t.Helper()
		x.Await("]> ")
		x.Send(":rehearse rm kept; mkdir d && echo new >d/made\r")
		x.Await("2 made, 0 changed, 1 removed")
		x.Await("  | + d/made (4 bytes")
		x.Await("apply it? [y] apply  [N] discard > ")
		holds(t, project, "kept")
	}
	for _, key := range []string{"\r", "yd", "n"} {
		rehearse()
		x.Send(key)
		if key == "yd" {
			x.Await("\"yd\" is no answer")
			x.Await("[N] discard > ")
			x.Send("n")
		}
		x.Await("discarded: nothing is changed")
		holds(t, project, "kept")
	}
	rehearse()
	clitest.Write(t, filepath.Join(project, "kept"), "mine\n")
	x.Send("y")
	x.Await("not applied: kept: the file changed meanwhile")
	holds(t, project, "kept")
	rehearse()
	x.Send("y")
	x.Await("applied: 2 made, 0 changed, 1 removed (undo: :undo a")
	holds(t, project, "d")
	x.Await("]> ")
	x.Send(":revert run\r")
	x.Await("kept, +1 -0")
	holds(t, project, "kept")
	x.Await("]> ")
	x.Quit()
	if text, err := os.ReadFile(filepath.Join(project, "kept")); err != nil || string(text) != "mine\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestRH3Killed: a ken that is killed while a command is rehearsed leaves the project as it was, and nothing that runs.
func TestRH3Killed(t *testing.T) {
	t.Parallel()
	x, project := aside(t, nil, "rehearse", "rm kept; echo made >made; echo up; sleep 60; echo late >late")
	x.Await("up")
	if err := x.Cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	x.Exit()
	left := ""
	if !proctest.Within(10*time.Second, func() bool {
		left = ""
		list, _ := filepath.Glob("/proc/[0-9]*/cwd")
		for _, at := range list {
			if to, err := os.Readlink(at); err == nil && to == project {
				left = at
			}
		}
		return left == ""
	}) {
		t.Fatalf("%s goes on", left)
	}
	holds(t, project, "kept")
}

// TestRH4Try: at the question about a command of caution, and where a run halts, t tries it aside and asks again.
func TestRH4Try(t *testing.T) {
	t.Parallel()
	x, project := aside(t, llmtest.New(t,
		llmtest.Text("Do this:\nCMD: touch made"), calls("a", "rm kept"), llmtest.Text("Well.\nGOAL: complete")))
	x.Await("]> ")
	x.Send("make it\r")
	x.Await("run it? ")
	x.Send("?")
	x.Await("t tries it aside and shows what it would change")
	x.Await("run it? ")
	x.Send("t")
	x.Await("  | + made (0 bytes")
	x.Await("that was tried aside: nothing is changed")
	x.Await("run it? ")
	holds(t, project, "kept")
	x.Send("y")
	x.Await("]> ")
	holds(t, project, "kept made")
	x.Send(":auto tidy up\r")
	x.Await("halted: ")
	x.Await("[t] try aside")
	x.Send("t")
	x.Await("  | - kept (5 bytes)")
	x.Await(halts)
	holds(t, project, "kept made")
	x.Send("y")
	x.Await("auto: done")
	x.Await("]> ")
	holds(t, project, "made")
	x.Quit()
}

// TestRH3Bounded: of what a command would change in five hundred places a part stands above the question whether it is applied,
// with how much more there is; m shows all of it, and what is applied is the whole. Tried aside, it comes a screen at a time.
func TestRH3Bounded(t *testing.T) {
	t.Parallel()
	const line = "mkdir many; for i in $(seq 500); do echo $i >many/$i; done"
	x, project := aside(t, llmtest.New(t, calls("a", line), llmtest.Text("Then not.")))
	x.Await("]> ")
	x.Send("make them\r")
	x.Await(keysEnd)
	x.Send("t")
	x.Await("501 made, 0 changed, 0 removed")
	x.Await("page 1 of ")
	x.Send("\r")
	x.Await("page 2 of ")
	x.Send("q")
	x.Await("that was tried aside")
	x.Await(keysEnd)
	x.Send("\r")
	x.Await("Then not.")
	x.Await("]> ")
	holds(t, project, "kept")
	x.Send(":rehearse " + line + "\r")
	x.Await("this would be changed by")
	bounded(t, "rehearse", x.Await("[m] more  [N] discard > "))
	x.Send("m")
	x.Await("page 1 of ")
	x.Send("q")
	x.Await("[N] discard > ")
	x.Send("y")
	x.Await("applied: 501 made")
	x.Await("]> ")
	x.Quit()
	holds(t, project, "kept many")
}
