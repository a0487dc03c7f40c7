//go:build unix

package shelltest

import (
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

const markdownAnswer = "## Two *ways*\n\n- **one**: `ls`\n- 2*3*4\n\n| a | b |\n|---|--:|\n| x | 1 |\n"

// TestR20MarkdownLive: markdown is laid out on a terminal, each word as it comes;
// what stands in a span waits for its end, and a table for its own.
func TestR20MarkdownLive(t *testing.T) {
	t.Parallel()
	next := make(chan struct{})
	parts := []string{"Some te", "xt and **bo", "ld** and", " more\n\n|a|\n|-|\n|", "1|\n", "\nend"}
	script := llmtest.Text(parts...)
	for i := range parts {
		script = script.Gate(i+1, next)
	}
	x := clitest.Start(t, t.TempDir(), llmtest.New(t, script), "ask", "hi")
	for _, step := range []struct{ shown, held string }{
		{"Some te", ""},
		{"xt and", "bo"},
		{" \x1b[1mbold\x1b[0m", ""},
		{" and more\r\n\r\n", "a"},
		{"", "1"},
		{"\x1b[1ma\x1b[0m\r\n\x1b[2m─\x1b[0m\r\n1\r\n\r\nend\r\n", ""},
	} {
		next <- struct{}{}
		if step.shown != "" {
			x.Await(step.shown)
		}
		if tail := x.Unseen(); step.held != "" && strings.Contains(tail, step.held) {
			t.Errorf("after %q: %q is there already", step.shown, tail)
		}
	}
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestAnswerLooks: what is laid out, and coloured, where.
func TestAnswerLooks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, settings string
		env            []string
		want           string
	}{
		{"a terminal", "", nil, "\x1b[1mTwo \x1b[0;1;3mways\x1b[0m\r\n\r\n• \x1b[1mone\x1b[0m: \x1b[36mls\x1b[0m\r\n• 2*3*4\r\n\r\n\x1b[1ma\x1b[0m \x1b[2m│\x1b[0m \x1b[1mb\x1b[0m\r\n\x1b[2m──┼──\x1b[0m\r\nx \x1b[2m│\x1b[0m 1\r\n"},
		{"NO_COLOR", "", []string{"NO_COLOR=1"}, "## Two *ways*\r\n\r\n• **one**: `ls`\r\n• 2*3*4\r\n\r\na │ b\r\n──┼──\r\nx │ 1\r\n"},
		{"no UTF-8", "", []string{"NO_COLOR=1", "LC_ALL=C"}, "## Two *ways*\r\n\r\n- **one**: `ls`\r\n- 2*3*4\r\n\r\na | b\r\n--+--\r\nx | 1\r\n"},
		{"a dumb terminal", "", []string{"TERM=dumb"}, strings.ReplaceAll(markdownAnswer, "\n", "\r\n")},
		{"as it came", "ui.markdown = false\n", nil, strings.ReplaceAll(markdownAnswer, "\n", "\r\n")},
		{"without colour", "ui.color = \"never\"\n", nil, "## Two *ways*\r\n\r\n• **one**: `ls`\r\n• 2*3*4\r\n\r\na │ b\r\n──┼──\r\nx │ 1\r\n"},
	} {
		dir := t.TempDir()
		clitest.Configure(t, dir, c.settings)
		cmd := clitest.Command(t, dir, llmtest.New(t, llmtest.Text(strings.SplitAfter(markdownAnswer, "e")...)), "ask", "hi")
		cmd.Env = append(cmd.Env, c.env...)
		x := clitest.Open(t, cmd)
		if code := x.Exit(); code != 0 {
			t.Errorf("%s: exit code %d", c.name, code)
		}
		x.AwaitEnd()
		if got := x.Raw(); got != c.want {
			t.Errorf("%s:\n%q, want\n%q", c.name, got, c.want)
		}
	}
	// A file gets what the model wrote, colours or not.
	for _, env := range []string{"TERM=xterm", "CLICOLOR_FORCE=1"} {
		cmd := clitest.Command(t, t.TempDir(), llmtest.New(t, llmtest.Text(strings.SplitAfter(markdownAnswer, "e")...)), "ask", "hi")
		cmd.Env = append(cmd.Env, env)
		if out, err := cmd.Output(); err != nil || string(out) != markdownAnswer {
			t.Errorf("%s, to a pipe: %v\n%q", env, err, out)
		}
	}
}

// TestR27CommandLine: a line that could become a command that the model offers is
// held while it could, and shown as a whole; others are text.
func TestR27CommandLine(t *testing.T) {
	t.Parallel()
	next := make(chan struct{})
	parts := []string{"CM", "X\nCM", "D: ls", " -la", "\n CMD: text\nCMD: la", "st"}
	script := llmtest.Text(parts...)
	for i := range parts {
		script = script.Gate(i+1, next)
	}
	x := clitest.Start(t, t.TempDir(), llmtest.New(t, script), "ask", "hi")
	for _, want := range []string{"", "CMX\r\n", "", "", "\x1b[1;33mCMD: ls -la\x1b[0m\r\n CMD: text\r\n"} {
		next <- struct{}{}
		if want != "" {
			x.Await(want)
		}
		if tail := x.Unseen(); tail != "" {
			t.Errorf("after %q: %q", want, tail)
		}
	}
	next <- struct{}{}
	x.Await("\x1b[1;33mCMD: last\x1b[0m\r\n")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestWaitingIsTold: while no token comes a line says so; nothing of it is left
// when the answer comes, or Ctrl-C, and it is nowhere but on a terminal.
func TestWaitingIsTold(t *testing.T) {
	t.Parallel()
	go1 := make(chan struct{})
	thinking := llmtest.Raw(llmtest.Delta(`{"role":"assistant","reasoning_content":"hm"}`), llmtest.Token("so"), llmtest.Finish("stop")+llmtest.Done)
	model := llmtest.New(t, llmtest.Text("yes").Gate(1, go1), thinking.Gate(1, go1), llmtest.Hang())
	x := clitest.Start(t, t.TempDir(), model)
	x.Await("]> ")
	x.Send("one\r")
	x.Await("waiting for test  0 s (Ctrl-C stops)\x1b[K")
	close(go1)
	x.Await("\r\x1b[Kyes\r\n")
	x.Await("]> ")
	x.Send("two\r")
	x.Await("so\r\n")
	x.Await("]> ")
	x.Send("three\r")
	x.Await("waiting for test")
	x.Send("\x03")
	x.Await("[ken] stopped")
	x.Await("]> ")
	if all := strings.Join(x.Rows(), "\n"); strings.Contains(all, "waiting") || strings.Contains(all, "^C") {
		t.Errorf("left on the screen:\n%s", all)
	}
	x.Send(":quit\r")
	x.Exit()

	slow := make(chan struct{})
	cmd := clitest.Command(t, t.TempDir(), llmtest.New(t, llmtest.Text("yes").Gate(1, slow)), "ask", "-q", "hi")
	quiet := clitest.Open(t, cmd)
	close(slow)
	quiet.Await("yes\r\n")
	quiet.Exit()
	if got := quiet.Text(); got != "yes\r\n" {
		t.Errorf("quiet: %q", got)
	}
}

// TestStatusBetweenLines: what is said while an answer is under way begins a line
// of its own.
func TestStatusBetweenLines(t *testing.T) {
	t.Parallel()
	for _, settings := range []string{"", "ui.markdown = false\n"} {
		dir := t.TempDir()
		clitest.Configure(t, dir, settings)
		x := clitest.Start(t, dir, llmtest.New(t, llmtest.Text("so it", " is</think>", "Yes")), "ask", "hi")
		x.Await("so it\r\n[ken] the text above was the model thinking; its answer follows\r\nYes\r\n")
		x.Exit()
	}
	// The answer is over, tables included, before what is said about it.
	cut := llmtest.Raw(llmtest.Token("|a|\n|-|\n|b|"), llmtest.Finish("length")+llmtest.Done)
	x := clitest.Start(t, t.TempDir(), llmtest.New(t, cut), "ask", "hi")
	x.Await("\r\nb\r\n[ken] the answer reached its length limit\r\n")
	x.Exit()
}
