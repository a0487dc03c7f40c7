//go:build linux || darwin

package shelltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
	"ken/internal/ttytest"
)

// leave takes back what is typed, and leaves.
func leave(t *testing.T, x *clitest.Terminal) {
	t.Helper()
	x.Send("\x15")
	x.AwaitRow("[ken ~]>")
	x.Send("\x04")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// paste is text as a terminal sends what is pasted.
func paste(text string) string { return "\x1b[200~" + text + "\x1b[201~" }

// TestS11Keys: the key for autonomous mode begins its command; it can be unbound and bound again, and what cannot be
// bound is said and does no harm.
func TestS11Keys(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x := clitest.Start(t, dir, nil)
	x.AwaitRow("[ken ~]>")
	x.Send("\x0e")
	x.AwaitRow("[ken ~]> :auto")
	x.Send("tidy up\r")
	x.Await("[ken] auto: tidy up")
	x.Await("ken: error: no model is configured")
	x.Send(":auto off\r")
	x.Await("[ken] no run is on")
	x.AwaitRow("[ken ~]>")
	x.Send("\x04")
	x.Exit()

	clitest.Configure(t, dir, "[keys]\n\"\\\\C-n\" = \"none\"\n\"\\\\C-t\" = \"auto\"\n\"\\\\C-o\" = \"no-such-action\"\n")
	x = clitest.Start(t, dir, nil)
	x.Await(`ken: warning: keys: "\\C-o": there is no action "no-such-action"; actions are the commands of readline, and `)
	x.AwaitRow("[ken ~]>")
	x.Send("a\x0eb")
	x.AwaitRow("[ken ~]> ab")
	x.Send("\x15\x14")
	x.AwaitRow("[ken ~]> :auto off") // the rest in grey: what was typed last
	x.Send("\x03")
	x.AwaitRow("[ken ~]>")
	x.Send("\x04")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestTypeAhead: what is typed while an answer streams stands in no answer, and
// on the next line.
func TestTypeAhead(t *testing.T) {
	t.Parallel()
	more := make(chan struct{})
	model := llmtest.New(t, llmtest.Text("first ", "half").Gate(2, more), llmtest.Text("again"))
	x := clitest.Start(t, t.TempDir(), model)
	x.Await("]> ")
	x.Send("one\r")
	x.Await("first")
	x.Send("two größe\rthr")
	close(more)
	x.Await(" half\r\n") // and nothing in between
	x.Await("again\r\n")
	x.AwaitRow("[ken:test ~]> thr")
	reqs, err := model.Await(2)
	if err != nil {
		t.Fatal(err)
	}
	if msgs := reqs[1].Messages(); msgs[len(msgs)-1].Content != "two größe" {
		t.Errorf("sent %q", msgs[len(msgs)-1].Content)
	}
}

// TestPasted: a block of lines is one question, and teaches nothing; one whose
// lines are commands is a question as well, unless it is a single command.
func TestPasted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t)
	model.Always(llmtest.Text("ok"))
	x := clitest.Start(t, dir, model)
	x.Await("]> ")
	want := []string{"remember that I live in Lisbon\nand more", "touch a\ntouch b", strings.Repeat("a line\n", 2_999) + "end"}
	for _, text := range want {
		x.Send(paste(strings.ReplaceAll(text, "\n", "\r")) + "\r")
		x.Await("ok\r\n")
		x.Await("]> ")
	}
	x.Send(paste("printf '%s-'\\\r one \\\r 'two\r three'\r") + "\r")
	x.Await("one-two\r\n three-")
	x.Await("── exit 0")
	reqs := model.Requests()
	if len(reqs) != len(want) {
		t.Fatalf("%d questions, want %d", len(reqs), len(want))
	}
	for i, text := range want {
		if msgs := reqs[i].Messages(); msgs[len(msgs)-1].Content != text {
			t.Errorf("question %d: %.60q of %d bytes", i, msgs[len(msgs)-1].Content, len(msgs[len(msgs)-1].Content))
		}
	}
	for _, name := range []string{"a", "b", "ken/memory.jsonl"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("there is %s", name)
		}
	}
}

// TestBorrowed: programs that get the terminal find it as it was when ken began.
func TestBorrowed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "editor")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nstty -a | tr ' ' '\\n' | grep -c -x -e echo -e icanon -e isig -e icrnl\necho edited >\"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := clitest.Command(t, dir, nil)
	cmd.Env = append(cmd.Env, "EDITOR="+program)
	x := clitest.Open(t, cmd)
	x.Await("]> ")
	x.Send("$stty -a | tr ' ' '\\n' | grep -c -x -e echo -e icanon -e isig -e icrnl\r")
	x.Await("──\r\n4\r\n")
	x.AwaitRow("[ken ~]>")
	x.Send(":remember tea\r")
	x.Await("remembered #1")
	x.AwaitRow("[ken ~]>")
	x.Send(":memory edit 1\r")
	x.Await("\r\n4\r\n")
	x.Await("edited #1")
	x.AwaitRow("[ken ~]>")
	x.Send("half a line\x18\x05")
	x.Await("\r\n4\r\n")
	x.AwaitRow("[ken ~]> edited")
	x.Send("\x03\x04")
	x.Exit()
}

// TestMute: on a terminal that does not say where its cursor is, and on one that is
// dumb, lines are read as they always were.
func TestMute(t *testing.T) {
	t.Parallel()
	for _, env := range []string{"TERM=xterm", "TERM=dumb"} {
		cmd := clitest.Command(t, t.TempDir(), nil, "-v")
		cmd.Env = append(cmd.Env, env)
		x := ttytest.OpenMute(t, cmd)
		x.Send(":remember typed early\r")
		x.Await("no line editing: ")
		x.Await("remembered #1")
		x.Await("]> ")
		if env == "TERM=xterm" {
			x.Send("\x1b[24;1R") // too late
		}
		x.Send(":forget 1\r")
		x.Await("forgot #1")
		x.Await("]> ")
		x.Send(":memory clear --all\r")
		x.Await("]> ")
		x.Send(":quit\r")
		if code := x.Exit(); code != 0 {
			t.Errorf("%s: exit code %d", env, code)
		}
		if marked := strings.Contains(x.Text(), "\x1b[?2004h"); marked != (env == "TERM=xterm") {
			t.Errorf("%s: what is pasted is marked: %v", env, marked)
		}
	}
}

// TestGATE18Mute: on a terminal that does not say where its cursor is a pasted block is
// one message all the same, of which nothing runs before Enter, and whoever gets the
// terminal next finds it without marks: a command, the shell that started ken, and the one
// that goes on when ken is stopped.
func TestGATE18Mute(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t, llmtest.Text("a joined answer"))
	x := ttytest.OpenMute(t, clitest.Command(t, dir, model))
	x.Await("\x1b[?2004h")
	x.Send(paste("look at this\n$touch ran\n:remember tea\nend"))
	x.Await("end")
	time.Sleep(300 * time.Millisecond)
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil || len(model.Requests()) > 0 {
		t.Fatal("it was sent before Enter")
	}
	x.Send("\n")
	x.Await("a joined answer")
	x.Await("\x1b[?2004h")
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("a pasted line was run")
	}
	reqs := model.Requests()
	msgs := reqs[0].Messages()
	if got := msgs[len(msgs)-1].Content; !strings.Contains(got, "look at this\n$touch ran\n:remember tea\nend") {
		t.Errorf("the question was %q", got)
	}
	x.Send("$stty -a | grep -o -e 'susp = ^Z' -e ' icanon' -e ' echo '\n")
	x.Await("\x1b[?2004l")
	x.Await("susp = ^Z")
	x.Await("\x1b[?2004h")
	x.Send("begun \x1a")
	x.Await("\x1b[?2004l")
	x.Await("\x1b[?2004h") // nobody looks after it here, so it goes on
	x.Send(":remember tea\n")
	x.Await("remembered #1")
	x.Await("\x1b[?2004h")
	x.Send(":quit\n")
	x.Await("\x1b[?2004l")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestEntered: what was entered is there in the next shell, commands of all kinds and
// questions alike; a line with a secret is not, nor one that begins with a blank,
// nor any where conversations are not saved. Each stands there with where it was typed.
func TestEntered(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x := clitest.Start(t, dir, nil)
	for _, c := range []struct{ line, says string }{
		{":remember tea", "remembered #1"},
		{"$true", "exit 0"},
		{"what now?", "Nothing is known"},
		{" $true hidden", "exit 0"},
		{"$true API_KEY=sk-" + strings.Repeat("a1B2", 10), "exit 0"},
	} {
		x.AwaitRow("[ken ~]>")
		x.Send(c.line + "\r")
		x.Await(c.says) // what is typed while a command has the terminal is the system's to edit
	}
	x.AwaitRow("[ken ~]>")
	x.Send("\x10")
	x.AwaitRow("[ken ~]> $true API_KEY=sk-" + strings.Repeat("a1B2", 10))
	x.Send("\x15\x12reme")
	x.Holds("history: this directory (Tab: everywhere): reme_")
	x.Send("\x07")
	leave(t, x)
	path := filepath.Join(dir, "ken", "history")
	text, err := os.ReadFile(path)
	at := "\x1b]ken;{\"dir\":\"~\"}\a\n"
	if want := at + ":remember tea\n" + at + "$true\n" + at + "what now?\n"; err != nil || string(text) != want {
		t.Errorf("%v, the file is %q, want %q", err, text, want)
	}
	clitest.Configure(t, dir, "[session]\nautosave = false\n")
	x = clitest.Start(t, dir, nil)
	x.AwaitRow("[ken ~]>")
	x.Send("$true again\r")
	x.Await("exit 0")
	x.AwaitRow("[ken ~]>")
	x.Send("\x10")
	x.AwaitRow("[ken ~]> $true again")
	leave(t, x)
	if again, err := os.ReadFile(path); err != nil || string(again) != string(text) {
		t.Errorf("%v, the file has become %q", err, again)
	}
}

// TestTab: what Tab offers at the shell's prompt.
func TestTab(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	clitest.Configure(t, dir, "[models.fast]\nbase_url = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\n")
	for _, name := range []string{"notes two.txt", "other.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	x := clitest.Start(t, dir, nil)
	x.AwaitRow("[ken:fast ~]>")
	x.Send(":remember the kettle is green\r")
	x.Await("remembered #1")
	for _, c := range []struct{ typed, want string }{
		{":rememb\t", ":remember the kettle is green"}, // what it may go on with, in grey
		{":mem hist\t", ":mem history"},
		{":forget \t", ":forget 1"},
		{":memory list --sco\t", ":memory list --scope"},
		{":memory list --scope us\t", ":memory list --scope user"},
		{":memory list --scope=us\t", ":memory list --scope=user"},
		{":remember --kind wor\t", ":remember --kind workflow"},
		{":model fa\t", ":model fast"},
		{":ask -m f\t", ":ask -m fast"},
		{":sessions sho\t", ":sessions show"},
		{":exec cat no\t", `:exec cat notes\ two.txt`},
		{"$cat 'no\t", "$cat 'notes two.txt'"},
		{"cat oth\t", "cat other.txt"},
		{"cat ~/oth\t", "cat ~/other.txt"},
		{"what is oth\t", "what is oth"},
		{"/rememb\t", "/rememb"},
	} {
		x.AwaitRow("[ken:fast ~]>")
		x.Send(c.typed)
		x.AwaitRow("[ken:fast ~]> " + c.want)
		x.Send("\x03")
	}
}

// TestInterruptedLine: Ctrl-C on a line that was begun takes back the line, as often
// as it happens; only at an empty prompt does it leave, and only the second time.
func TestInterruptedLine(t *testing.T) {
	t.Parallel()
	x := clitest.Start(t, t.TempDir(), nil)
	for range 3 {
		x.Await("]> ")
		x.Send("not this")
		x.Await("not this")
		x.Send("\x03")
		x.Await("^C")
	}
	x.Await("]> ")
	x.Send("\x03")
	x.Await("(Ctrl-C again, Ctrl-D or :quit to leave)")
	x.Await("]> ")
	x.Send("\x03")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestE11cSuggested: what the line may go on with is shown without a setting, but for a line
// that had a secret or its mark, without colours, on a terminal that cannot show it, and where
// the settings switch it off.
func TestE11cSuggested(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, env, settings, typed, want string
	}{
		{"shown", "", "", "what n", "what now"},
		{"off", "", "[ui]\nsuggest = false\n", "what n", "what n"},
		{"no colours", "NO_COLOR=1", "", "what n", "what n"},
		{"a secret", "", "", "$tr", "$true"}, // the one before it
		{"a mark", "", "", "say", "say"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			clitest.Configure(t, dir, tc.settings)
			cmd := clitest.Command(t, dir, nil)
			if tc.env != "" {
				cmd.Env = append(cmd.Env, tc.env)
			}
			x := clitest.Open(t, cmd)
			for _, c := range []struct{ line, says string }{
				{"what now", "Nothing is known"},
				{"$true", "exit 0"},
				{"$true API_KEY=sk-" + strings.Repeat("a1B2", 10), "exit 0"},
				{"say [masked:" + "password:1a2b]", "Nothing is known"},
			} {
				x.AwaitRow("[ken ~]>")
				x.Send(c.line + "\r")
				x.Await(c.says)
			}
			x.AwaitRow("[ken ~]>")
			x.Send(tc.typed)
			x.AwaitRow("[ken ~]> " + tc.want)
			leave(t, x)
		})
	}
}
