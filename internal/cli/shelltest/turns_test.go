//go:build unix

package shelltest

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// refusal is a server's answer to a question that it does not take.
func refusal() llmtest.Script {
	s := llmtest.Raw(`{"error":{"message":"not this one"}}`)
	s.Status, s.ContentType = 400, "application/json"
	return s
}

// lastAsked is the text of the last message of the last request.
func lastAsked(model *llmtest.Server) (text string, messages int) {
	reqs := model.Requests()
	list := reqs[len(reqs)-1].Messages()
	return list[len(list)-1].Content, len(list)
}

// TestB6Editor: :edit opens the last question in the person's editor and asks what comes back, in
// its place; one that is unchanged or empty, and an editor that fails, change nothing. Of a
// branch from a question the question stands on the prompt.
func TestB6Editor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t, refusal(), llmtest.Text("First."), llmtest.Text("Again."), llmtest.Text("Without."),
		llmtest.Text("Second."), llmtest.Text("Third."))
	editor := filepath.Join(dir, "editor")
	text := "#!/bin/sh\n. " + filepath.Join(dir, "act") + "\n"
	if err := os.WriteFile(editor, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	act := func(line string) { clitest.Write(t, filepath.Join(dir, "act"), line+"\n") }
	x := screenAt(t, dir, 30, 80, model, "VISUAL="+editor)
	x.Await("]> ")
	x.Send("wat is a kettle?\r")
	x.Await("400")
	x.Await("]> ")
	for _, c := range []struct{ act, says string }{
		{": > $1", "empty: nothing was asked"}, {":", "unchanged: nothing was asked"}, {"exit 3", "nothing was asked: editor"},
	} {
		act(c.act)
		x.Send(":edit\r")
		x.Await(c.says)
		x.Await("]> ")
	}
	if n := len(model.Requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
	act("sed -i.bak 's/wat/what/' $1; echo 'And a pot?' >> $1")
	x.Send(":edit\r")
	x.Await("First.")
	x.Await("]> ")
	if got, n := lastAsked(model); got != "what is a kettle?\nAnd a pot?" || n != 2 {
		t.Errorf("asked %q, %d messages", got, n)
	}
	clitest.Write(t, filepath.Join(dir, "note.txt"), "a lid is needed\n")
	act("echo 'And @note.txt?' > $1")
	x.Send(":edit\r")
	x.Await("Again.")
	x.Await("]> ")
	if got, n := lastAsked(model); !strings.HasPrefix(got, "And @note.txt?") || !strings.Contains(got, "a lid is needed") || n != 2 {
		t.Errorf("asked %q, %d messages", got, n)
	}
	act("echo 'And now?' > $1")
	x.Send(":edit\r")
	x.Await("Without.")
	x.Await("]> ")
	if got, n := lastAsked(model); got != "And now?" || n != 2 {
		t.Errorf("asked %q, %d messages", got, n)
	}
	x.Send("more?\r")
	x.Await("Second.")
	x.Await("]> ")
	x.Send(":branch 8\r") // the newest question
	x.Await("going on from turn 7 of ")
	x.Await("more?")
	x.Send("\x15less?\r")
	x.Await("Third.")
	x.Await("]> ")
	if got, n := lastAsked(model); got != "less?" || n != 4 {
		t.Errorf("asked %q, %d messages", got, n)
	}
	x.Quit()
}

// TestB6EditorOutput: :edit changes what was typed, and nothing of what commands printed, be it the
// same word.
func TestB6EditorOutput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t, llmtest.Text("First."), llmtest.Text("Second."))
	editor := filepath.Join(dir, "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\necho brew > $1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	x := screenAt(t, dir, 30, 80, model, "VISUAL="+editor)
	x.Await("]> ")
	x.Send("$echo make\r")
	x.Await("exit 0")
	x.Await("]> ")
	x.Send("make\r")
	x.Await("First.")
	x.Await("]> ")
	x.Send(":edit\r")
	x.Await("Second.")
	x.Await("]> ")
	if got, _ := lastAsked(model); !strings.Contains(got, "\n$ echo make\nmake\n") || !strings.HasSuffix(got, "\n\nbrew") {
		t.Errorf("asked %q", got)
	}
	x.Quit()
}

// TestScreenTurns: what a person sees of questions that are asked again, dropped and brought back,
// and of what they copy, on narrow, usual and wide terminals.
func TestScreenTurns(t *testing.T) {
	t.Parallel()
	for _, cols := range []int{40, 80, 200} {
		t.Run(fmt.Sprint(cols), func(t *testing.T) {
			t.Parallel()
			model := llmtest.New(t, refusal(), llmtest.Text("A pot with a lid."), llmtest.Text("```sh\nboil water\n```\n"))
			x := screenAt(t, t.TempDir(), 40, cols, model)
			for _, c := range []struct{ line, says string }{
				{"what is a kettle, and what is the best way to boil water in one?", "400"},
				{":retry", "A pot with a lid."},
				{":retry", "boil water"},
				{":copy 1", "copied block 1 "},
				{":copy 2", "no block 2"},
				{":save-block b.sh", "wrote b.sh"},
				{":drop", "dropped turns"},
				{":history", "not sent"},
				{":drop --undo", "back in the context"},
			} {
				x.Await("]> ")
				x.Send(c.line + "\r")
				x.Await(c.says)
			}
			x.Await("]> ")
			if !strings.Contains(x.Raw(), "\x1b]52;c;"+base64.StdEncoding.EncodeToString([]byte("boil water\n"))+"\a") {
				t.Error("nothing was copied")
			}
			shows(x, fmt.Sprintf("turns_%d", cols))
			x.Quit()
		})
	}
}

// TestCopy: only the person copies: what an answer says to the terminal is not passed on, a text
// that no terminal takes is not sent, a dumb one is sent nothing, and a program of the system is
// asked where there is one.
func TestCopy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	got := filepath.Join(dir, "got")
	if err := os.WriteFile(filepath.Join(bin, "wl-copy"), []byte("#!/bin/sh\ncat > "+got+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	evil := "look \x1b]52;c;ZXZpbA==\a here"
	model := llmtest.New(t)
	model.Always(llmtest.Text(evil))
	program := []string{"TERM=dumb", "WAYLAND_DISPLAY=w", "PATH=" + bin + ":" + os.Getenv("PATH")}
	for _, env := range [][]string{{"TERM=xterm"}, {"TERM=dumb"}, program} {
		x := screenAt(t, dir, 30, 80, model, env...)
		x.Await("]> ")
		x.Send("q\r")
		x.Await("look")
		x.Await("]> ")
		x.Send(":copy\r")
		switch {
		case len(env) > 1:
			x.Await("copied the answer (10 bytes) by wl-copy")
		case env[0] == "TERM=dumb":
			x.Await("ken: error: nothing was copied: there is no clipboard to copy to")
			x.Await("ken: hint: ")
		default:
			x.Await("if your terminal lets programs do so")
		}
		x.Await("]> ")
		sent := strings.Count(x.Raw(), "\x1b]52;")
		if want := map[bool]int{true: 1}[env[0] == "TERM=xterm"]; sent != want || strings.Contains(x.Raw(), "ZXZpbA") {
			t.Errorf("%v: %d times copied by the terminal, want %d", env, sent, want)
		}
		x.Quit()
	}
	if b, err := os.ReadFile(got); err != nil || string(b) != "look  here" {
		t.Errorf("wl-copy got %q, %v", b, err)
	}
}

// TestE10Offer: a command that an answer ends with is shown once, its output without rules and its
// exit code only if it failed; :go has the model go on from what was printed, and nothing goes
// by itself.
func TestE10Offer(t *testing.T) {
	t.Parallel()
	for _, cols := range []int{40, 80, 200} {
		t.Run(fmt.Sprint(cols), func(t *testing.T) {
			t.Parallel()
			model := llmtest.New(t, llmtest.Text("This prints it:\n\nCMD: printf 'one\\ntwo\\n'\n"),
				llmtest.Text("And this fails.\n\nCMD: sh -c 'exit 3'\n"), llmtest.Text("I see."))
			x := screenAt(t, t.TempDir(), 40, cols, model)
			x.Await("]> ")
			x.Send("print something\r")
			x.Await(keysEnd)
			x.Send("y")
			x.Await(":go has the model go on")
			x.Await("]> ")
			if n := len(model.Requests()); n != 1 {
				t.Errorf("%d requests: something went by itself", n)
			}
			x.Send(":go\r")
			x.Await(keysEnd)
			x.Send("y")
			x.Await("exit 3")
			x.Await("]> ")
			if got, _ := lastAsked(model); !strings.Contains(got, "one\ntwo\n[end of exec output]\n\nHere is what it printed. Go on.") {
				t.Errorf("asked %q", got)
			}
			x.Send(":go what went wrong?\r")
			x.Await("I see.")
			x.Await("]> ")
			if got, _ := lastAsked(model); !strings.Contains(got, "(exit 3)") || !strings.HasSuffix(got, "\n\nwhat went wrong?") {
				t.Errorf("asked %q", got)
			}
			x.Send(":go\r")
			x.Await("ken: error: no command ran since")
			x.Await("]> ")
			shows(x, fmt.Sprintf("offer_%d", cols))
			x.Quit()
		})
	}
}
