//go:build linux || darwin

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/llm/llmtest"
)

// configure writes the settings of a ken below dir.
func configure(t *testing.T, dir, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "ken"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ken", "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// awaitRow waits until the row that the cursor is in says text and no more.
func (x *terminal) awaitRow(text string) {
	x.t.Helper()
	x.mu.Lock()
	defer x.mu.Unlock()
	for {
		row := strings.TrimRight(strings.Split(x.screen.String(), "\n")[x.screen.Cursor().Y], " ")
		if row == text {
			return
		}
		if x.closed {
			x.t.Fatalf("the row is %q, want %q; the screen:\n%s", row, text, x.screen.String())
		}
		x.grown.Wait()
	}
}

// paste is text as a terminal sends what is pasted.
func paste(text string) string { return "\x1b[200~" + text + "\x1b[201~" }

// TestS11Keys: the key for autonomous mode begins its command, which so far only
// says that it is not there; it can be unbound and bound again, and what cannot be bound is
// said and does no harm.
func TestS11Keys(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x := startTerminal(t, dir, nil)
	x.awaitRow("[ken ~]>")
	x.send("\x0e")
	x.awaitRow("[ken ~]> :auto")
	x.send("tidy up\r")
	x.await("[ken] autonomous mode is not there yet; nothing was run")
	x.send(":auto --now\r")
	x.await("[ken] autonomous mode is not there yet; nothing was run")
	x.awaitRow("[ken ~]>")
	x.send("\x04")
	x.exit()

	configure(t, dir, "[keys]\n\"\\\\C-n\" = \"none\"\n\"\\\\C-t\" = \"auto\"\n\"\\\\C-o\" = \"no-such-action\"\n")
	x = startTerminal(t, dir, nil)
	x.await(`ken: warning: keys: "\\C-o": there is no action "no-such-action"; actions are the commands of readline, and `)
	x.awaitRow("[ken ~]>")
	x.send("a\x0eb")
	x.awaitRow("[ken ~]> ab")
	x.send("\x15\x14")
	x.awaitRow("[ken ~]> :auto")
	x.send("\x03")
	x.awaitRow("[ken ~]>")
	x.send("\x04")
	if code := x.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestTypeAhead: what is typed while an answer streams stands in no answer, and
// on the next line.
func TestTypeAhead(t *testing.T) {
	t.Parallel()
	more := make(chan struct{})
	model := llmtest.New(t, llmtest.Text("first ", "half").Gate(2, more), llmtest.Text("again"))
	x := startTerminal(t, t.TempDir(), model)
	x.await("]> ")
	x.send("one\r")
	x.await("first")
	x.send("two größe\rthr")
	close(more)
	x.await(" half\r\n") // and nothing in between
	x.await("again\r\n")
	x.awaitRow("[ken:test ~]> thr")
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
	x := startTerminal(t, dir, model)
	x.await("]> ")
	want := []string{"remember that I live in Lisbon\nand more", "touch a\ntouch b", strings.Repeat("a line\n", 2_999) + "end"}
	for _, text := range want {
		x.send(paste(strings.ReplaceAll(text, "\n", "\r")) + "\r")
		x.await("ok\r\n")
		x.await("]> ")
	}
	x.send(paste("printf '%s-'\\\r one \\\r 'two\r three'\r") + "\r")
	x.await("one-two\r\n three-")
	x.await("── exit 0")
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
	cmd := kenCommand(t, dir, nil)
	cmd.Env = append(cmd.Env, "EDITOR="+program)
	x := openTerminal(t, cmd)
	x.await("]> ")
	x.send("$stty -a | tr ' ' '\\n' | grep -c -x -e echo -e icanon -e isig -e icrnl\r")
	x.await("──\r\n4\r\n")
	x.awaitRow("[ken ~]>")
	x.send(":remember tea\r")
	x.await("remembered #1")
	x.awaitRow("[ken ~]>")
	x.send(":memory edit 1\r")
	x.await("\r\n4\r\n")
	x.await("edited #1")
	x.awaitRow("[ken ~]>")
	x.send("half a line\x18\x05")
	x.await("\r\n4\r\n")
	x.awaitRow("[ken ~]> edited")
	x.send("\x03\x04")
	x.exit()
}

// TestMute: on a terminal that does not say where its cursor is, and on one that is
// dumb, lines are read as they always were.
func TestMute(t *testing.T) {
	t.Parallel()
	for _, env := range []string{"TERM=xterm", "TERM=dumb"} {
		cmd := kenCommand(t, t.TempDir(), nil, "-v")
		cmd.Env = append(cmd.Env, env)
		x := startMute(t, cmd)
		x.send(":remember typed early\r")
		x.await("no line editing: ")
		x.await("remembered #1")
		x.await("]> ")
		if env == "TERM=xterm" {
			x.send("\x1b[24;1R") // too late
		}
		x.send(":forget 1\r")
		x.await("forgot #1")
		x.await("]> ")
		x.send(":memory clear --all\r")
		x.await("]> ")
		x.send(":quit\r")
		if code := x.exit(); code != 0 {
			t.Errorf("%s: exit code %d", env, code)
		}
		if strings.Contains(x.text(), "\x1b[?2004h") {
			t.Errorf("%s: it is edited on", env)
		}
	}
}

// TestEntered: what was entered is there in the next shell, commands of all kinds and
// questions alike; a line with a secret is not, nor one that begins with a blank,
// nor any where conversations are not saved.
func TestEntered(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x := startTerminal(t, dir, nil)
	for _, line := range []string{":remember tea", "$true", "what now?", " $true hidden", "$true API_KEY=sk-" + strings.Repeat("a1B2", 10)} {
		x.awaitRow("[ken ~]>")
		x.send(line + "\r")
		x.await("\r\n")
	}
	x.awaitRow("[ken ~]>")
	x.send("\x10")
	x.awaitRow("[ken ~]> $true API_KEY=sk-" + strings.Repeat("a1B2", 10))
	x.send("\x03\x04")
	x.exit()
	path := filepath.Join(dir, "ken", "history")
	text, err := os.ReadFile(path)
	if want := ":remember tea\n$true\nwhat now?\n"; err != nil || string(text) != want {
		t.Errorf("%v, the file is %q, want %q", err, text, want)
	}
	configure(t, dir, "[session]\nautosave = false\n")
	x = startTerminal(t, dir, nil)
	x.awaitRow("[ken ~]>")
	x.send("$true again\r")
	x.await("exit 0")
	x.awaitRow("[ken ~]>")
	x.send("\x10")
	x.awaitRow("[ken ~]> $true again")
	x.send("\x03\x04")
	x.exit()
	if again, err := os.ReadFile(path); err != nil || string(again) != string(text) {
		t.Errorf("%v, the file has become %q", err, again)
	}
}

// TestTab: what Tab offers at the shell's prompt.
func TestTab(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	configure(t, dir, "[models.fast]\nbase_url = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\n")
	for _, name := range []string{"notes two.txt", "other.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	x := startTerminal(t, dir, nil)
	x.awaitRow("[ken:fast ~]>")
	x.send(":remember the kettle is green\r")
	x.await("remembered #1")
	for _, c := range []struct{ typed, want string }{
		{":rememb\t", ":remember"},
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
		x.awaitRow("[ken:fast ~]>")
		x.send(c.typed)
		x.awaitRow("[ken:fast ~]> " + c.want)
		x.send("\x03")
	}
}

// TestInterruptedLine: Ctrl-C on a line that was begun takes back the line, as often
// as it happens; only at an empty prompt does it leave, and only the second time.
func TestInterruptedLine(t *testing.T) {
	t.Parallel()
	x := startTerminal(t, t.TempDir(), nil)
	for range 3 {
		x.await("]> ")
		x.send("not this")
		x.await("not this")
		x.send("\x03")
		x.await("^C")
	}
	x.await("]> ")
	x.send("\x03")
	x.await("(Ctrl-C again, Ctrl-D or :quit to leave)")
	x.await("]> ")
	x.send("\x03")
	if code := x.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
