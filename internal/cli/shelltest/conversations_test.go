//go:build unix

package shelltest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
	"ken/internal/ttytest"
)

// writeTalks puts conversations into a home: of the directory dir, of another one, a
// single question, one with a title that would take the terminal, and one of another
// program.
func writeTalks(t *testing.T, dir string) {
	t.Helper()
	sessions := filepath.Join(dir, "ken", "sessions")
	if err := os.MkdirAll(filepath.Join(sessions, "import"), 0o700); err != nil {
		t.Fatal(err)
	}
	here := "dir:~" // the home
	for i, c := range []struct{ name, channel, scope, said, answer, more string }{
		{"20260509T080000Z-0001", "terminal", here, "why does the kettle test hang?", "It waits for a port.", ""},
		{
			"20260509T080000Z-0002", "terminal", here,
			"[exec output]\\n$ ls\\na\\n\\nb\\n[end of exec output]\\n\\nhow do I brew tea?", "With a kettle.", "",
		},
		{"20260509T080000Z-0003", "terminal", "dir:/elsewhere", "what is a samovar", "A kettle of Tula.", ""},
		{"20260509T080000Z-0004", "ask", here, "single kettle", "Yes.", ""},
		{
			"trip", "terminal", here, "where to?", "By train.",
			`{"ts":"2026-05-09T09:00:00Z","event":"title","title":"\u001b[2J\u001b]0;owned\u0007the long way to 東京\nand back"}` + "\n",
		},
		{"import/other", "import", "", "a kettle elsewhere", "I see.", ""},
	} {
		text := fmt.Sprintf(`{"meta":{"session":%q,"started":"2026-05-09T08:00:00Z","channel":%q,"scope":%q}}
{"ts":"2026-05-09T08:%02d:00Z","role":"user","content":"%s","n":1}
{"ts":"2026-05-09T08:%02d:30Z","role":"assistant","content":%q,"n":2}
`, filepath.Base(c.name), c.channel, c.scope, 10*i, c.said, 10*i, c.answer) + c.more
		if err := os.WriteFile(filepath.Join(sessions, c.name+".jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestE11ResumeList: without a name the shell shows the conversations of this directory,
// words find them by title and by what was said, Tab shows all; the one that was under
// way is kept; leaving says how to come back.
func TestE11ResumeList(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTalks(t, dir)
	model := llmtest.New(t)
	model.Always(llmtest.Text("an answer"))
	x := screenAt(t, dir, 24, 80, model)
	x.Await("]> ")
	x.Send("a new one\r")
	x.Await("an answer")
	x.Await("]> ")
	x.Send(":resume\r")
	x.Holds("> the long way to") // and not the one that is under way
	x.Send("kettle")
	x.Holds("2 of 6, here") // one by its title, one by what was answered
	x.Send("\t")
	x.Holds("3 of 6, all")
	x.Holds("what is a samovar")
	x.Send("\t")
	x.Holds("5 of 6, all and single questions")
	x.Send("\x15brew\t")
	x.Holds("> how do I brew tea?")
	x.Send("\r")
	x.Await("kept 2 turns, \"a new one\"; back with :resume ")
	x.Await("going on with 20260509T080000Z-0002: 2 turns, \"how do I brew tea?\"")
	x.Await("]> ")
	x.Send(":resume kettle\r")
	x.Holds("resume which? kettle")
	x.Send("\x1b")
	x.AwaitRow(fmt.Sprintf("[ken:test %s]>", "~"))
	x.Send(":rename the TEA of noon\r")
	x.Await("this conversation is called \"the TEA of noon\"")
	x.Await("]> ")
	x.Send(":quit\r")
	x.Await("come back with: ken -c")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if strings.Contains(x.Text(), "\x1b[?1049") || strings.Contains(x.Text(), "owned") {
		t.Error("it took another screen, or a title did something")
	}
}

// TestE11Screens: the list to choose from and the list of conversations, as they are seen.
func TestE11Screens(t *testing.T) {
	t.Parallel()
	for _, wide := range []int{40, 80, 200} {
		t.Run(fmt.Sprint(wide), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			writeTalks(t, dir)
			x := screenAt(t, dir, 16, wide, llmtest.New(t))
			x.Await("]> ")
			x.Send("\x0c:sessions\r")
			x.Holds("not shown")
			x.Await("]> ")
			x.Send(":resume\r")
			x.Holds("Esc leaves")
			x.Send("\t\x1b[B")
			shows(x, fmt.Sprintf("conversations_%d", wide))
			x.Send("\x03")
			x.Quit()
		})
	}
}

// TestE11Dumb: where nothing can be drawn the list is numbered.
func TestE11Dumb(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTalks(t, dir)
	cmd := clitest.Command(t, dir, llmtest.New(t), "resume")
	cmd.Env = append(cmd.Env, "KEN_NOW=2026-05-10T12:00:00Z", "TERM=dumb", "LC_ALL=C")
	x := clitest.On(t, ttytest.OpenSized(t, cmd, 24, 80))
	x.Await(" 1  the long way to ")
	x.Await("(a number, words to find, Enter: none) ")
	x.Send("samovar\r")
	x.Await(" 1  what is a samovar")
	x.Await("Enter: none) ")
	x.Send("1\r")
	x.Await("going on with 20260509T080000Z-0003: 2 turns")
	x.Await("]> ")
	x.Send(":quit\r")
	x.Await("come back with: ken -c")
}
