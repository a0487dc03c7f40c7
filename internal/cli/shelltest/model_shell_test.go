//go:build unix

package shelltest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// TestS8Model: `:model deep` switches to another preset, the prompt shows it, and
// the next question goes there.
func TestS8Model(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fast, deep := llmtest.New(t, llmtest.Text("from fast")), llmtest.New(t, llmtest.Text("from deep"))
	clitest.Configure(t, dir, "model = \"fast\"\n[models.fast]\nbase_url = \""+fast.URL+"\"\nmodel = \"f\"\n[models.deep]\nbase_url = \""+deep.URL+"\"\nmodel = \"d\"\n")
	x := clitest.Start(t, dir, nil)
	x.Await("[ken:fast ~]> ")
	x.Send("hello\r")
	x.Await("from fast")
	x.Await("[ken:fast ~]> ")
	x.Send(":model deep\r")
	x.Await("[ken] model: deep (d at ")
	x.Await("[ken:deep ~]> ")
	x.Send("and you?\r")
	x.Await("from deep")
	x.Await("[ken:deep ~]> ")
	x.Send(":quit\r")
	x.Exit()
	text := clitest.Sessions(t, dir)
	for _, want := range []string{`"content":"from fast","n":2,"model":"fast"`, `"event":"model","model":"deep"`, `"content":"from deep","n":4,"model":"deep"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in the session:\n%s", want, text)
		}
	}
}

// TestFoundModelInPrompt: a model of this machine that was found shows in the
// prompt; one that is started between two questions is found by the second.
func TestFoundModelInPrompt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t, llmtest.Text("fine"), llmtest.Text("still fine"))
	model.Models("qwen3:8b")
	at := strings.TrimPrefix(model.URL, "http://")
	x := clitest.StartEnv(t, dir, []string{"KEN_TEST_LOCAL=" + at})
	x.Await("[ken] no model yet: a local one is looked for at your first question")
	x.Await("[ken ~]> ")
	x.Send("how are you?\r")
	x.Await("[ken] using qwen3:8b at " + at + " (found; without your memory, earlier conversations or a key; keep it, with all: :config set models.local.base_url=http://" + at + "/v1 models.local.model=qwen3:8b)")
	x.Await("fine")
	x.Await("[ken:qwen3:8b ~]> ")
	x.Send("and now?\r")
	x.Await("\r\nstill fine") // and nothing in between
	x.Send(":quit\r")
	x.Exit()
	if n := strings.Count(x.Text(), "[ken] using "); n != 1 {
		t.Errorf("said %d times what was found:\n%s", n, x.Text())
	}
}

// TestG15FoundModel: on a terminal a person is asked once whether a model that was found
// gets their memory, and the answer is kept.
func TestG15FoundModel(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t)
	model.Always(llmtest.Text("fine"))
	at := strings.TrimPrefix(model.URL, "http://")
	for i, c := range []struct {
		key  string // "" = nothing is asked
		sent bool
	}{{"n", false}, {"", false}, {"y", true}, {"", true}} {
		if c.key == "y" {
			if err := os.Remove(filepath.Join(dir, "ken", "met.jsonl")); err != nil {
				t.Fatal(err)
			}
		}
		x := clitest.StartEnv(t, dir, []string{"KEN_TEST_LOCAL=" + at})
		x.Await("]> ")
		x.Send(":remember the kettle is blue\r")
		x.Await("remembered")
		x.Await("]> ")
		x.Send("what colour is it?\r")
		if c.key != "" {
			x.Await("use test at " + at + " with your memory and conversations? ")
			x.Send(c.key)
		}
		x.Await("fine")
		x.Await("]> ")
		x.Send(":quit\r")
		x.Exit()
		if n := strings.Count(x.Text(), "with your memory and conversations?"); (n > 0) != (c.key != "") {
			t.Errorf("%d: asked %d times", i, n)
		}
		requests := model.Requests()
		if got := strings.Contains(string(requests[len(requests)-1].Body), "the kettle is blue"); got != c.sent {
			t.Errorf("%d: memory was sent: %v", i, got)
		}
	}
}

// TestFirstStart: who starts ken for the first time gets exactly three short
// lines: what answers, where memory lives, what to do. Later starts say less.
func TestFirstStart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		model *llmtest.Server
		args  []string
		want  string
	}{
		{"no model", nil, nil, "[ken] no model yet: a local one is looked for at your first question\r\n" +
			"[ken] memory: kept in ~/ken/memory.jsonl, a text file of yours\r\n" +
			"[ken] ask something, or :remember TEXT; :help lists the commands, Ctrl-D leaves\r\n"},
		{"a model", llmtest.New(t), nil, "[ken] model: test\r\n" +
			"[ken] memory: kept in ~/ken/memory.jsonl, a text file of yours\r\n" +
			"[ken] ask something, or :remember TEXT; :help lists the commands, Ctrl-D leaves\r\n"},
		{"quiet", nil, []string{"-q"}, ""},
		{"without memory", llmtest.New(t), []string{"--no-memory"}, "[ken] model: test\r\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			x := clitest.Start(t, dir, c.model, c.args...)
			x.Await("~]> ")
			if got, _, _ := strings.Cut(x.Text(), "[ken ~]> "); c.model == nil && visible(got) != c.want {
				t.Errorf("the first start says\n%q, want\n%q", visible(got), c.want)
			}
			if got, _, _ := strings.Cut(x.Text(), "[ken:test ~]> "); c.model != nil && visible(got) != c.want {
				t.Errorf("the first start says\n%q, want\n%q", visible(got), c.want)
			}
			for _, line := range strings.Split(c.want, "\r\n") {
				if len(line) > 80 {
					t.Errorf("%d cells: %s", len(line), line)
				}
			}
			x.Send(":remember the kettle is blue\r")
			x.Await("> ")
			x.Send(":quit\r")
			x.Exit()
			if len(c.args) > 0 {
				return
			}
			y := clitest.Start(t, dir, c.model)
			y.Await("[ken] memory: 1 item injected\r\n")
			y.Await("~]> ")
			if n := strings.Count(y.Text(), "[ken] "); n != 2 {
				t.Errorf("a later start has %d lines:\n%s", n, y.Text())
			}
		})
	}
}

// visible is text without escape sequences that set the terminal up.
func visible(text string) string {
	for {
		i := strings.Index(text, "\x1b[")
		if i < 0 {
			return text
		}
		end := strings.IndexFunc(text[i+2:], func(r rune) bool { return r >= '@' })
		if end < 0 {
			return text
		}
		text = text[:i] + text[i+2+end+1:]
	}
}

// TestAskAlone: a question of the command line is answered from memory where a person
// asks and reads, and nowhere else.
func TestAskAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if out, err := clitest.Command(t, dir, nil, "remember", "the kettle is blue").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	x := clitest.Start(t, dir, nil, "ask", "which kettle?")
	x.Await("- [1] the kettle is blue")
	out, err := clitest.Command(t, dir, nil, "ask", "which kettle?").Output()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 3 || len(out) > 0 {
		t.Errorf("in a pipe: %v, %q", err, out)
	}
}

// TestAloneOnce: that there is no model is reported in full once, in one line, and in a
// few words after that.
func TestAloneOnce(t *testing.T) {
	t.Parallel()
	x := clitest.Start(t, t.TempDir(), nil)
	x.Await("]> ")
	x.Send(":remember the kettle is blue\r")
	x.Await("remembered #1")
	x.Send("what is the kettle?\r")
	x.Await("[ken] no model is configured; this is from memory and conversations. For answers, start one here (Ollama, llama.cpp, LM Studio), or set OPENAI_BASE_URL and KEN_MODEL, or a [models.NAME] in config.toml\r\n- [1] the kettle is blue")
	x.Await("]> ")
	x.Send("which kettle?\r")
	x.Await("[ken] no model; from memory and conversations:\r\n- [1] the kettle is blue")
	x.Await("]> ")
	x.Send("zeppelins\r")
	x.Await("zeppelins\r\nNothing is known about that.\r\n")
	x.Await("]> ")
	x.Send(":memory off\r")
	x.Await("memory is off")
	x.Send("the kettle?\r")
	x.Await("ken: error: no model is configured\r\n\r\n[ken ~]> ")
	x.Send(":quit\r")
	x.Exit()
}
