//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
)

// TestS49Conflicts: on a terminal the person is asked what to do with a memory that
// contradicts another one, or says the same in other words; Enter keeps both.
func TestS49Conflicts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := func(text string, talk func(x *clitest.Terminal)) {
		t.Helper()
		x := clitest.Start(t, dir, nil, append([]string{"remember"}, strings.Fields(text)...)...)
		talk(x)
		if code := x.Exit(); code != 0 {
			t.Errorf("%s: exit code %d", text, code)
		}
	}
	const question = "[r]eplace, [k]eep both or [c]ancel? (Enter: keep both) "
	run("my editor is vim", func(x *clitest.Terminal) { x.Await("remembered #1 ") })
	run("my editor is helix", func(x *clitest.Terminal) {
		x.Await(`[ken] #1: "my editor is vim": both can hardly be true (helix or vim)`)
		x.Await(question)
		x.Send("x\r")
		x.Await("remembered #2 ")
	})
	run("My editor is now ed", func(x *clitest.Terminal) {
		x.Await(`#2: "my editor is helix"`)
		x.Await(`#1: "my editor is vim"`)
		x.Await(question)
		x.Send("c")
		x.Await("nothing was remembered")
	})
	run("my editor is nano", func(x *clitest.Terminal) {
		x.Await(question)
		x.Send("\x03")
		x.Await("nothing was remembered")
	})
	run("My editor is now ed", func(x *clitest.Terminal) {
		x.Await(question)
		x.Send("r")
		x.Await("remembered #3 ")
	})
	run("the user's editor is ed", func(x *clitest.Terminal) {
		x.Await(`#3: "My editor is now ed": it says the same`)
		x.Await(question)
		x.Send("k")
		x.Await("remembered #4 ")
	})

	// In the shell as well; what is only near is told afterwards, as ever.
	x := clitest.Start(t, dir, nil)
	x.Await("]> ")
	x.Send(":remember my editor is ed at last\r")
	x.Await("remembered #5 ")
	x.Await("]> ")
	x.Send(":remember our staging host is called kettle\r")
	x.Await("remembered #6 ")
	x.Await("]> ")
	x.Send(":remember our staging host is called teapot\r")
	x.Await(question)
	x.Send("r")
	x.Await("remembered #7 (undo: :undo 7)")
	x.Await("]> ")
	x.Send(":memory list\r")
	x.Await("called teapot")
	x.Await("]> ")
	x.Send("\x04")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	b, err := os.ReadFile(filepath.Join(dir, "ken", "memory.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"content":"My editor is now ed","supersedes":[2,1]}`, `"content":"my editor is helix"}`, `"supersedes":6}`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("no %s in\n%s", want, b)
		}
	}
}
