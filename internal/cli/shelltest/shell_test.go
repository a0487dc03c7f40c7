//go:build unix

package shelltest

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

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
	"ken/internal/ttytest"
)

// TestS1Streaming: the first token is on the screen before the second is sent,
// and the session gets one assistant line.
func TestS1Streaming(t *testing.T) {
	t.Parallel()
	dir, more := t.TempDir(), make(chan struct{})
	model := llmtest.New(t, llmtest.Text("Hel", "lo").Gate(2, more))
	x := clitest.Start(t, dir, model)
	x.Await("[ken:test ~]> ")
	x.Send("hi\r")
	x.Await("Hel")
	close(more)
	x.Await("lo\r\n")
	x.Await("]> ")
	x.Send(":quit\r")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	text := clitest.Sessions(t, dir)
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
	x := clitest.Start(t, dir, model)
	x.Await("]> ")
	x.Send("hi\r")
	x.Await("half an answer")
	x.Send("\x03")
	x.Await("[ken] stopped; what came is kept, marked as cancelled")
	x.Await("]> ")
	x.Send("and now?\r")
	x.Await("fine")
	x.Await("]> ")
	reqs, err := model.Await(2)
	if err != nil {
		t.Fatal(err)
	}
	if msgs := reqs[1].Messages(); len(msgs) != 4 || msgs[2].Content != "half an answer" {
		t.Errorf("the second question was sent with %v", msgs)
	}
	x.Send("typed but not meant\x03")
	x.Await("^C")
	x.Await("]> ")
	x.Send("\x03")
	x.Await("Ctrl-C again, Ctrl-D or :quit to leave")
	x.Await("]> ")
	x.Send("\x03")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if text := clitest.Sessions(t, dir); !strings.Contains(text, `"content":"half an answer","n":2,"model":"test","finish":"cancelled"`) {
		t.Errorf("the partial answer is not marked:\n%s", text)
	}
}

// TestShellEnds: Ctrl-D leaves as :quit does; TERM and HUP end the shell with
// everything said kept.
func TestShellEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		end  func(x *clitest.Terminal)
		code int
	}{
		{"ctrl-d", func(x *clitest.Terminal) { x.Send("\x04") }, 0},
		{"exit", func(x *clitest.Terminal) { x.Send("exit\r") }, 0},
		{"term", func(x *clitest.Terminal) { _ = x.Cmd.Process.Signal(syscall.SIGTERM) }, 143},
		{"hup", func(x *clitest.Terminal) { _ = x.Cmd.Process.Signal(syscall.SIGHUP) }, 129},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			model := llmtest.New(t, llmtest.Text("fine"))
			x := clitest.Start(t, dir, model)
			x.Await("]> ")
			x.Send("how are you?\r")
			x.Await("fine")
			x.Await("]> ")
			c.end(x)
			if code := x.Exit(); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			text := clitest.Sessions(t, dir)
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
	x := clitest.Start(t, dir, model)
	x.Await("]> ")
	x.Send(":remember the kettle is red\r")
	x.Await("remembered #1 (undo: :undo 1)")
	x.Send("before\r")
	x.Await("ok\r\n")
	log := filepath.Join(dir, "ken", "memory.jsonl")
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(text), "red", "green", 1) + `{"id":7,"kind":"pref","content":"tea at noon"}` // no line end, as echo -n leaves it
	if err := os.WriteFile(log, []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	x.Send(":memory inject\r")
	x.Await("[ken] memory: 2 items injected")
	x.Send("after\r")
	x.Await("ok\r\n")
	x.Send(":remember one more\r")
	x.Await("remembered #8 ")
	x.Send(":quit\r")
	x.Exit()
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
	silent := clitest.Command(t, t.TempDir(), model, "ask", "hello")
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

	slow := clitest.Command(t, t.TempDir(), model, "ask", "what is this?")
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
	cmd := clitest.Command(t, dir, model, "ask", "hello")
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
	if code := ttytest.ExitCode(t, cmd.Wait()); code != 130 || string(rest) != "\n" {
		t.Errorf("exit code %d, then %q", code, rest)
	}
	if stderr.Len() > 0 {
		t.Errorf("standard error: %s", stderr.String())
	}
	if text := clitest.Sessions(t, dir); !strings.Contains(text, `"content":"half"`) || !strings.Contains(text, `"finish":"cancelled"`) {
		t.Errorf("the partial answer is not kept:\n%s", text)
	}
}

func TestAskClosedOutput(t *testing.T) {
	t.Parallel()
	dir, more := t.TempDir(), make(chan struct{})
	model := llmtest.New(t, llmtest.Text("one", "two", "three").Gate(2, more))
	cmd := clitest.Command(t, dir, model, "ask", "hello")
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
	if code := ttytest.ExitCode(t, cmd.Wait()); code != 141 || stderr.Len() > 0 {
		t.Errorf("exit code %d, standard error %q", code, stderr.String())
	}
	if text := clitest.Sessions(t, dir); !strings.Contains(text, `"role":"assistant","content":"one`) {
		t.Errorf("what came is not kept:\n%s", text)
	}
}

// TestR155TaughtInWords: a typed "remember that ..." is kept before the model
// answers, is in the very request it is in, and needs no model. A secret in it
// is not kept, and neither is a sentence that is only about remembering.
func TestR155TaughtInWords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x := clitest.Start(t, dir, nil)
	x.Await("]> ")
	x.Send("remember that I live in Lisbon\r")
	x.Await("[ken] remembered #1 (undo: :undo 1)")
	x.Await("]> ")
	x.Send(":quit\r")
	x.Exit()

	model := llmtest.New(t)
	model.Always(llmtest.Text("ok"))
	x = clitest.Start(t, dir, model)
	x.Await("memory: 1 item injected")
	x.Send("please remember that tabs are out\r")
	x.Await("[ken] remembered #2 (undo: :undo 2)")
	x.Await("ok\r\n")
	x.Send("do you remember that day?\r")
	x.Await("ok\r\n")
	x.Send("remember that my password is " + "hunter2" + "Zq9!x\r")
	x.Await("not remembered: not stored: the text seems to hold a secret (password)")
	x.Await("ok\r\n")
	x.Send(":quit\r")
	x.Exit()
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
	cmd := clitest.Command(t, dir, model)
	cmd.Env = append(cmd.Env, "KEN_NOW=2026-05-10T12:00:00Z") // of two hits alike the newer one would be first
	x := clitest.Open(t, cmd)
	x.Await("]> ")
	for _, answer := range []string{"[ken] remembered #1 (undo: :undo 1)", "[ken] already remembered as #1"} {
		x.Send("remember that zinnias like the sun\r")
		x.Await(answer)
		x.Await("ok\r\n")
		x.Await("]> ")
	}
	x.Send(":sessions search zinnias\r")
	x.Await(":1] you: remember that zinnias")
	x.Await(":3] you: remember that zinnias")
	x.Await("]> ")
	x.Send(":memory list\r")
	x.Await("1   now")
	x.Await("zinnias like the sun\r\n[")
	x.Send(":forget 1\r")
	x.Await("forgot #1")
	x.Await("]> ")
	x.Send(":sessions search zinnias\r")
	x.Await("Nothing is known about that.")
	x.Send(":quit\r")
	x.Exit()
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
	x := clitest.Start(t, dir, model)
	x.Await("]> ")
	x.Send("remember that the staging host is kettle\r")
	x.Await("remembered #1")
	x.Await("ok\r\n")
	x.Send("remember that the old host was teapot\r")
	x.Await("remembered #2")
	x.Await("ok\r\n")
	x.Send("forget about the staging host\r")
	x.Await("- [1] the staging host is kettle")
	x.Await("- [2] the old host was teapot")
	x.Await("forget which? (numbers, or all; Enter: none) ")
	x.Send("\r")
	x.Await("nothing was forgotten")
	x.Send("forget the staging host\r")
	x.Await("none) ")
	x.Send("1 3\r")
	x.Await(`"3" is not in the list; nothing was done`)
	x.Send("forget the staging host\r")
	x.Await("none) ")
	x.Send("#1\r")
	x.Await("forgot #1: the staging host is kettle (undo: :undo 3)")
	x.Send("forget teapot\r")
	x.Await("forget it? [y] yes  [N] no > ")
	x.Send("\x03")
	x.Await("nothing was forgotten")
	x.Await("]> ")
	x.Send("forget the mutex\r") // no memory of it
	x.Await("[ken] nothing is remembered about the mutex, and no conversation mentions it")
	x.Await("ok\r\n")
	x.Send(":recall kettle\r")
	x.Await("Nothing is known about that.")
	x.Send("what did we say about teapots?\r")
	x.Await("from your conversations; the model was not asked")
	x.Await("you: remember that the old host was teapot")
	x.Send("what did we say about zeppelins?\r")
	x.Await("ok\r\n")
	x.Send(":undo 3\r")
	x.Await("undid #3")
	x.Send(":sessions search kettle\r")
	x.Await("you: remember that the staging host is kettle")
	x.Send(":quit\r")
	x.Exit()
	if n := len(model.Requests()); n != 4 {
		t.Errorf("the model was asked %d times, want 4", n)
	}
}

// TestAloneInWords: without a model the same sentences work, and the rest of
// what is typed is looked for.
func TestAloneInWords(t *testing.T) {
	t.Parallel()
	x := clitest.Start(t, t.TempDir(), nil)
	x.Await("]> ")
	x.Send("remember that the staging host is kettle\r")
	x.Await("remembered #1")
	x.Send("what do you know about hosts?\r")
	x.Await("[ken] no model is configured; ")
	x.Await("- [1] the staging host is kettle")
	x.Send("what did we say about hosts?\r")
	x.Await("Nothing is known about that.")
	x.Send("forget about zeppelins\r")
	x.Await("[ken] nothing is remembered about zeppelins, and no conversation mentions it")
	x.Send("forget the staging host\r")
	x.Await("forget it? [y] yes  [N] no > ")
	x.Send("y\r")
	x.Await("forgot #1: the staging host is kettle (undo: :undo 2)")
	x.Send("where is staging\r")
	x.Await("Nothing is known about that.")
	x.Send(":quit\r")
	x.Exit()
}
