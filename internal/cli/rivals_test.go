//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestS49Rivals: on a terminal the person is asked what to do with a memory that
// contradicts another one, or says the same in other words; Enter keeps both.
func TestS49Rivals(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := func(text string, talk func(x *terminal)) {
		t.Helper()
		x := startTerminal(t, dir, nil, append([]string{"remember"}, strings.Fields(text)...)...)
		talk(x)
		if code := x.exit(); code != 0 {
			t.Errorf("%s: exit code %d", text, code)
		}
	}
	const question = "[r]eplace, [k]eep both or [c]ancel? (Enter: keep both) "
	run("my editor is vim", func(x *terminal) { x.await("remembered #1 ") })
	run("my editor is helix", func(x *terminal) {
		x.await(`[ken] #1: "my editor is vim": both can hardly be true (helix or vim)`)
		x.await(question)
		x.send("x\r")
		x.await("remembered #2 ")
	})
	run("My editor is now ed", func(x *terminal) {
		x.await(`#2: "my editor is helix"`)
		x.await(`#1: "my editor is vim"`)
		x.await(question)
		x.send("c")
		x.await("nothing was remembered")
	})
	run("my editor is nano", func(x *terminal) {
		x.await(question)
		x.send("\x03")
		x.await("nothing was remembered")
	})
	run("My editor is now ed", func(x *terminal) {
		x.await(question)
		x.send("r")
		x.await("remembered #3 ")
	})
	run("the user's editor is ed", func(x *terminal) {
		x.await(`#3: "My editor is now ed": it says the same`)
		x.await(question)
		x.send("k")
		x.await("remembered #4 ")
	})

	// In the shell as well; what is only near is told afterwards, as ever.
	x := startTerminal(t, dir, nil)
	x.await("]> ")
	x.send(":remember my editor is ed at last\r")
	x.await("remembered #5 ")
	x.await("]> ")
	x.send(":remember our staging host is called kettle\r")
	x.await("remembered #6 ")
	x.await("]> ")
	x.send(":remember our staging host is called teapot\r")
	x.await(question)
	x.send("r")
	x.await("remembered #7 (undo: :undo 7)")
	x.await("]> ")
	x.send(":memory list\r")
	x.await("called teapot")
	x.await("]> ")
	x.send("\x04")
	if code := x.exit(); code != 0 {
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
