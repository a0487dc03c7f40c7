//go:build unix

package cli_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ken/internal/llm/llmtest"
)

// TestS1Streaming: the first token is on the screen before the second is sent,
// and the session gets one assistant line.
func TestS1Streaming(t *testing.T) {
	t.Parallel()
	dir, more := t.TempDir(), make(chan struct{})
	model := llmtest.New(t, llmtest.Text("Hel", "lo").Gate(2, more))
	x := startTerminal(t, dir, model)
	x.await("[ken:test ~]> ")
	x.send("hi\r")
	x.await("Hel")
	close(more)
	x.await("lo\r\n")
	x.await("]> ")
	x.send(":quit\r")
	if code := x.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	text := sessionText(t, dir)
	if n := strings.Count(text, `"role":"assistant","content":"Hello"`); n != 1 {
		t.Errorf("the session has %d assistant lines with the answer:\n%s", n, text)
	}
}

// TestShellInterrupt: Ctrl-C ends the answer and nothing else; what came is
// kept and marked; at the prompt it takes two within two seconds to leave.
func TestShellInterrupt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t, llmtest.Hang("half an ", "answer"), llmtest.Text("fine"))
	x := startTerminal(t, dir, model)
	x.await("]> ")
	x.send("hi\r")
	x.await("half an answer")
	x.send("\x03")
	x.await("[ken] stopped; what came is kept, marked as cancelled")
	x.await("]> ")
	x.send("and now?\r")
	x.await("fine")
	x.await("]> ")
	reqs, err := model.Await(2)
	if err != nil {
		t.Fatal(err)
	}
	if msgs := reqs[1].Messages(); len(msgs) != 4 || msgs[2].Content != "half an answer" {
		t.Errorf("the second question was sent with %v", msgs)
	}
	x.send("typed but not meant\x03")
	x.await("^C")
	x.await("]> ")
	x.send("\x03")
	x.await("Ctrl-C again, Ctrl-D or :quit to leave")
	x.await("]> ")
	x.send("\x03")
	if code := x.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if text := sessionText(t, dir); !strings.Contains(text, `"content":"half an answer","n":2,"model":"test","finish":"cancelled"`) {
		t.Errorf("the partial answer is not marked:\n%s", text)
	}
}

// TestShellEnds: Ctrl-D leaves as :quit does; TERM and HUP end the shell with
// everything said kept.
func TestShellEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		end  func(x *terminal)
		code int
	}{
		{"ctrl-d", func(x *terminal) { x.send("\x04") }, 0},
		{"exit", func(x *terminal) { x.send("exit\r") }, 0},
		{"term", func(x *terminal) { _ = x.cmd.Process.Signal(syscall.SIGTERM) }, 143},
		{"hup", func(x *terminal) { _ = x.cmd.Process.Signal(syscall.SIGHUP) }, 129},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			model := llmtest.New(t, llmtest.Text("fine"))
			x := startTerminal(t, dir, model)
			x.await("]> ")
			x.send("how are you?\r")
			x.await("fine")
			x.await("]> ")
			c.end(x)
			if code := x.exit(); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			text := sessionText(t, dir)
			if !strings.Contains(text, "how are you?") || !strings.Contains(text, `"content":"fine"`) {
				t.Errorf("the session lost something:\n%s", text)
			}
		})
	}
}

// TestS34InjectInRunningShell: a memory that a person writes into the file
// while the shell runs is in the prompt after :memory inject.
func TestS34InjectInRunningShell(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t)
	model.Always(llmtest.Text("ok"))
	x := startTerminal(t, dir, model)
	x.await("]> ")
	x.send(":remember the kettle is red\r")
	x.await("remembered #1 (undo: :undo 1)")
	x.send("before\r")
	x.await("ok\r\n")
	log := filepath.Join(dir, "ken", "memory.jsonl")
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(text), "red", "green", 1) + `{"id":7,"kind":"pref","content":"tea at noon"}` // no line end, as echo -n leaves it
	if err := os.WriteFile(log, []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	x.send(":memory inject\r")
	x.await("[ken] memory: 2 items injected")
	x.send("after\r")
	x.await("ok\r\n")
	x.send(":remember one more\r")
	x.await("remembered #8 ")
	x.send(":quit\r")
	x.exit()
	reqs := model.Requests()
	if system := reqs[1].Messages()[0].Content; !strings.Contains(system, "- (pref) tea at noon\n- (fact) the kettle is green") || strings.Contains(system, "red") {
		t.Errorf("the prompt after the edit:\n%s", system)
	}
}

// TestAskOpenPipe: a pipe that nobody writes to does not hang an answer, and one
// that is slow is waited for once its first byte has come.
func TestAskOpenPipe(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t, llmtest.Text("one"), llmtest.Text("two"))
	silent := kenCommand(t, t.TempDir(), model, "ask", "hello")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var stdout, stderr bytes.Buffer
	silent.Stdin, silent.Stdout, silent.Stderr = r, &stdout, &stderr
	if err := silent.Run(); err != nil || stdout.String() != "one\n" {
		t.Errorf("a silent pipe: %v, %q, %s", err, stdout.String(), stderr.String())
	}
	if !strings.Contains(stderr.String(), "nothing came from standard input; going on without it") {
		t.Errorf("the silence was not told:\n%s", stderr.String())
	}

	slow := kenCommand(t, t.TempDir(), model, "ask", "what is this?")
	in, err := slow.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout.Reset()
	slow.Stdout = &stdout
	if err := slow.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, "first"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(pause) // longer than the wait for a first byte: what is tested is that no limit is left
	if _, err := io.WriteString(in, " second\n"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(in.Close(), slow.Wait()); err != nil {
		t.Fatal(err)
	}
	reqs := model.Requests()
	msgs := reqs[len(reqs)-1].Messages()
	if got := msgs[len(msgs)-1].Content; got != "what is this?\n\n[stdin]\nfirst second" {
		t.Errorf("sent %q", got)
	}
}

// pause is longer than ken waits for the first byte of a pipe.
const pause = 3500 * time.Millisecond

// TestAskInterrupt: Ctrl-C ends ken ask with 130, a closed standard output with
// 141 and no noise; both keep what came.
func TestAskInterrupt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t, llmtest.Hang("half"))
	cmd := kenCommand(t, dir, model, "ask", "hello")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 4)
	if _, err := io.ReadFull(out, buf); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(out)
	if code := exitCode(t, cmd.Wait()); code != 130 || string(rest) != "\n" {
		t.Errorf("exit code %d, then %q", code, rest)
	}
	if stderr.Len() > 0 {
		t.Errorf("standard error: %s", stderr.String())
	}
	if text := sessionText(t, dir); !strings.Contains(text, `"content":"half"`) || !strings.Contains(text, `"finish":"cancelled"`) {
		t.Errorf("the partial answer is not kept:\n%s", text)
	}
}

func TestAskClosedOutput(t *testing.T) {
	t.Parallel()
	dir, more := t.TempDir(), make(chan struct{})
	model := llmtest.New(t, llmtest.Text("one", "two", "three").Gate(2, more))
	cmd := kenCommand(t, dir, model, "ask", "hello")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 3)
	if _, err := io.ReadFull(out, buf); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	close(more)
	if code := exitCode(t, cmd.Wait()); code != 141 || stderr.Len() > 0 {
		t.Errorf("exit code %d, standard error %q", code, stderr.String())
	}
	if text := sessionText(t, dir); !strings.Contains(text, `"role":"assistant","content":"one`) {
		t.Errorf("what came is not kept:\n%s", text)
	}
}

// TestR155TaughtInWords: a typed "remember that ..." is kept before the model
// answers, is in the very request it is in, and needs no model. A secret in it
// is not kept, and neither is a sentence that is only about remembering.
func TestR155TaughtInWords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x := startTerminal(t, dir, nil)
	x.await("]> ")
	x.send("remember that I live in Lisbon\r")
	x.await("[ken] remembered #1 (undo: :undo 1)")
	x.await("]> ")
	x.send(":quit\r")
	x.exit()

	model := llmtest.New(t)
	model.Always(llmtest.Text("ok"))
	x = startTerminal(t, dir, model)
	x.await("memory: 1 item injected")
	x.send("please remember that tabs are out\r")
	x.await("[ken] remembered #2 (undo: :undo 2)")
	x.await("ok\r\n")
	x.send("do you remember that day?\r")
	x.await("ok\r\n")
	x.send("remember that my password is " + "hunter2" + "Zq9!x\r")
	x.await("not remembered: not stored: the text seems to hold a secret (password)")
	x.await("ok\r\n")
	x.send(":quit\r")
	x.exit()
	reqs := model.Requests()
	msgs := reqs[0].Messages()
	if !strings.Contains(msgs[0].Content, "- (fact) tabs are out\n- (fact) I live in Lisbon") || msgs[1].Content != "please remember that tabs are out" {
		t.Errorf("the request that taught: %q", msgs)
	}
	log, err := os.ReadFile(filepath.Join(dir, "ken", "memory.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(log), `"kind":"fact"`); n != 2 || strings.Contains(string(log), "hunter2") {
		t.Errorf("the memory:\n%s", log)
	}
}

// TestTaughtTwice (L5): what is said again in the same words is not written again,
// and once it is forgotten neither of the turns that said it is found.
func TestTaughtTwice(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t)
	model.Always(llmtest.Text("ok"))
	cmd := kenCommand(t, dir, model)
	cmd.Env = append(cmd.Env, "KEN_NOW=2026-05-10T12:00:00Z") // of two hits alike the newer one would be first
	x := openTerminal(t, cmd)
	x.await("]> ")
	for _, answer := range []string{"[ken] remembered #1 (undo: :undo 1)", "[ken] already remembered as #1"} {
		x.send("remember that zinnias like the sun\r")
		x.await(answer)
		x.await("ok\r\n")
		x.await("]> ")
	}
	x.send(":sessions search zinnias\r")
	x.await(":1] you: remember that zinnias")
	x.await(":3] you: remember that zinnias")
	x.await("]> ")
	x.send(":memory list\r")
	x.await("1   now")
	x.await("zinnias like the sun\r\n[")
	x.send(":forget 1\r")
	x.await("forgot #1")
	x.await("]> ")
	x.send(":sessions search zinnias\r")
	x.await("Nothing is known about that.")
	x.send(":quit\r")
	x.exit()
	log, err := os.ReadFile(filepath.Join(dir, "ken", "memory.jsonl"))
	if err != nil || strings.Count(string(log), "zinnias") != 1 {
		t.Errorf("%v; the memory:\n%s", err, log)
	}
}

// TestForgetInWords: a typed "forget X" lists what it may mean and asks; silence
// and a slip keep everything. What is no memory goes to the model, and what was
// forgotten is found no more, nor the turn that taught it.
func TestForgetInWords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t)
	model.Always(llmtest.Text("ok"))
	x := startTerminal(t, dir, model)
	x.await("]> ")
	x.send("remember that the staging host is kettle\r")
	x.await("remembered #1")
	x.await("ok\r\n")
	x.send("remember that the old host was teapot\r")
	x.await("remembered #2")
	x.await("ok\r\n")
	x.send("forget about the staging host\r")
	x.await("- [1] the staging host is kettle")
	x.await("- [2] the old host was teapot")
	x.await("forget which? (numbers, or all; Enter: none) ")
	x.send("\r")
	x.await("nothing was forgotten")
	x.send("forget the staging host\r")
	x.await("none) ")
	x.send("1 3\r")
	x.await(`"3" is not in the list; nothing was done`)
	x.send("forget the staging host\r")
	x.await("none) ")
	x.send("#1\r")
	x.await("forgot #1 (undo: :undo 3)")
	x.send("forget teapot\r")
	x.await("forget it? [y/N] ")
	x.send("\x03")
	x.await("nothing was forgotten")
	x.await("]> ")
	x.send("forget the mutex\r") // no memory of it
	x.await("ok\r\n")
	x.send(":recall kettle\r")
	x.await("Nothing is known about that.")
	x.send("what did we say about teapots?\r")
	x.await("from your conversations; the model was not asked")
	x.await("you: remember that the old host was teapot")
	x.send("what did we say about zeppelins?\r")
	x.await("ok\r\n")
	x.send(":undo 3\r")
	x.await("undid #3")
	x.send(":sessions search kettle\r")
	x.await("you: remember that the staging host is kettle")
	x.send(":quit\r")
	x.exit()
	if n := len(model.Requests()); n != 4 {
		t.Errorf("the model was asked %d times, want 4", n)
	}
}

// TestAloneInWords: without a model the same sentences work, and the rest of
// what is typed is looked for.
func TestAloneInWords(t *testing.T) {
	t.Parallel()
	x := startTerminal(t, t.TempDir(), nil)
	x.await("]> ")
	x.send("remember that the staging host is kettle\r")
	x.await("remembered #1")
	x.send("what do you know about hosts?\r")
	x.await("[ken] no model is configured; ")
	x.await("- [1] the staging host is kettle")
	x.send("what did we say about hosts?\r")
	x.await("Nothing is known about that.")
	x.send("forget about zeppelins\r")
	x.await("Nothing is known about that.")
	x.send("forget the staging host\r")
	x.await("forget it? [y/N] ")
	x.send("y\r")
	x.await("forgot #1 (undo: :undo 2)")
	x.send("where is staging\r")
	x.await("Nothing is known about that.")
	x.send(":quit\r")
	x.exit()
}
