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
	const question = "replace it? [y] replace  [q] remember nothing  [N] keep both > "
	run("my editor is vim", func(x *clitest.Terminal) { x.Await("remembered #1 ") })
	run("my editor is helix", func(x *clitest.Terminal) {
		x.Await(`[ken] #1: "my editor is vim": both can hardly be true (helix or vim)`)
		x.Await(question)
		x.Send("x\r")
		x.Await("\"x\" is no answer")
		x.Await(question)
		x.Send("n\r")
		x.Await("remembered #2 ")
	})
	run("My editor is now ed", func(x *clitest.Terminal) {
		x.Await(`#2: "my editor is helix"`)
		x.Await(`#1: "my editor is vim"`)
		x.Await(question)
		x.Send("q")
		x.Await("nothing was remembered")
	})
	run("my editor is nano", func(x *clitest.Terminal) {
		x.Await(question)
		x.Send("\x03")
		x.Await("nothing was remembered")
	})
	run("My editor is now ed", func(x *clitest.Terminal) {
		x.Await(question)
		x.Send("y")
		x.Await("remembered #3 ")
	})
	run("the user's editor is ed", func(x *clitest.Terminal) {
		x.Await(`#3: "My editor is now ed": it says the same`)
		x.Await(question)
		x.Send("n")
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
	x.Send("y")
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

// TestR381Remember: what is to be remembered is asked about where it gives another value to what has one, in another language
// too, and where it says what ended; what was kept beside it once is not asked about again, and nothing is asked in a pipe.
func TestR381Remember(t *testing.T) {
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
	says := func(text ...string) func(x *clitest.Terminal) {
		return func(x *clitest.Terminal) {
			for i, s := range text {
				if i > 0 && (strings.HasSuffix(text[i-1], ") ") || strings.HasSuffix(text[i-1], " > ")) {
					x.Send(s)
				} else {
					x.Await(s)
				}
			}
		}
	}
	const byKey = "replace it? [y] replace  [q] remember nothing  [N] keep both > "
	const byLine = "what becomes of it? forget, replace or keep (Enter: keep) "
	run("answer in German", says("remembered #1 "))
	run("réponds en français", says(`#1: "answer in German": both can hardly be true (french or german)`, byKey, "y", "remembered #2 "))
	run("port of api is 8080", says("remembered #3 "))
	run("port of db is 5432", says("remembered #4 "))
	run("Tom reviews schema changes", says("remembered #5 "))
	run("Aisha reviews UI changes", says("remembered #6 "))
	run("Mira reviews schema changes", says(`#5: "Tom reviews schema changes"`, byKey, "n", "remembered #7 "))
	run("now Mira reviews the schema changes", func(x *clitest.Terminal) {
		says(`"Mira reviews schema changes": it says the same`, byKey, "n", "remembered #8 ")(x)
		if strings.Contains(x.Raw(), "#5") {
			t.Errorf("what was kept is asked about again: %s", x.Raw())
		}
	})
	run("Tom has left the team", says(`#5: "Tom reviews schema changes": it may be over (Tom)`,
		byLine, "forget\r", "forgot #5 ", "remembered #9 "))
	run("project tea deploys with make", says("remembered #11 "))
	run("tea is now called kettle", says(`#11: "project tea deploys with make"`,
		byLine, "replace\r", "in the place of #11: project kettle deploys with make"))
	run("Aisha has left", says(`#6: `, byLine, "what?\r", "names nothing of that: all is kept", "remembered #"))
	stdout, _, code := clitest.Run(t, dir, "", "remember", "--json", "the", "api", "port", "is", "9090")
	if code != 0 || !strings.Contains(stdout, `"contradicts": [`) || !strings.Contains(stdout, `"3"`) {
		t.Errorf("%d: %s", code, stdout)
	}
}
