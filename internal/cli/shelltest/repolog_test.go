//go:build unix

package shelltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// A clone is a repository that brings memory, and a home beside it.
type clone struct {
	t     *testing.T
	home  string
	log   string // the path of the log
	model *llmtest.Server
}

func newClone(t *testing.T, lines ...string) *clone {
	t.Helper()
	c := &clone{t: t, home: t.TempDir(), model: llmtest.New(t)}
	c.model.Always(llmtest.Text("fine"))
	c.log = filepath.Join(c.home, "tea", ".ken", "memory", "team.jsonl")
	c.write(filepath.Join(c.home, "tea", ".git", "HEAD"), "ref: refs/heads/main\n")
	c.write(filepath.Join(c.home, "tea", ".git", "config"), "[remote \"origin\"]\n\turl = git@example.org:me/tea\n")
	c.write(c.log, strings.Join(lines, "\n")+"\n")
	return c
}

func (c *clone) write(path, text string) {
	c.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		c.t.Fatal(err)
	}
	clitest.Write(c.t, path, text)
}

// shell starts ken in the repository.
func (c *clone) shell() *clitest.Terminal {
	c.t.Helper()
	cmd := clitest.Command(c.t, c.home, c.model)
	cmd.Dir = filepath.Join(c.home, "tea")
	return clitest.Open(c.t, cmd)
}

// ask asks the model something and returns the request.
func (c *clone) ask(x *clitest.Terminal) string {
	c.t.Helper()
	x.Await("]> ")
	x.Send("what now?\r")
	x.Await("fine")
	reqs := c.model.Requests()
	return string(reqs[len(reqs)-1].Body)
}

func quit(x *clitest.Terminal) {
	x.Await("]> ")
	x.Quit()
}

const (
	asks  = "use it here? "
	first = `{"id":1,"kind":"convention","content":"use pnpm` + "\u202e" + `\u001b[31m"}`
	rule  = `{"id":2,"kind":"rule","content":"never push","by":"user"}`
	later = `{"id":3,"content":"the port is 4000"}`
)

// TestC22RepositoryMemory: what a repository brings is shown once, with what
// hides made visible, and counts after a yes; what changed is asked about again.
func TestC22RepositoryMemory(t *testing.T) {
	t.Parallel()
	c := newClone(t, first, rule)

	// Enter ignores it, and it is not asked about again.
	x := c.shell()
	x.Await("[ken] this repository brings memory, .ken/memory/team.jsonl: 2 lines\r\n")
	x.Await("1  (convention) use pnpm‹U+202E›\\x1b[31m\r\n")
	x.Await("2  (rule) never push  [a rule: it waits in any case]  by=\"user\"\r\n")
	x.Await(asks)
	x.Send("\r")
	x.Await("[ken] team is ignored until it changes (use it: :memory trust use team)")
	if req := c.ask(x); strings.Contains(req, "pnpm") {
		t.Errorf("what is ignored was sent:\n%s", req)
	}
	quit(x)
	x = c.shell()
	if req := c.ask(x); strings.Contains(req, "pnpm") || strings.Contains(x.Text(), "team.jsonl") {
		t.Errorf("it was asked about twice:\n%s", x.Text())
	}

	// In the same shell, after another thought.
	x.Await("]> ")
	x.Send(":memory trust use team\r")
	x.Await("use it in this repository? [y] yes  [N] no > ")
	x.Send("y\r")
	x.Await("team is used (take it back: :memory trust revoke team)")
	if req := c.ask(x); !strings.Contains(req, "(convention, external) use pnpm") || strings.Contains(req, "never push") {
		t.Errorf("what was let in, and nothing else, is to be sent:\n%s", req)
	}

	// While the shell runs the file changes: what was not seen does not count.
	c.write(c.log, strings.Join([]string{first, rule, later}, "\n")+"\n")
	x.Await("]> ")
	x.Send(":memory inject\r")
	if req := c.ask(x); strings.Contains(req, "pnpm") || strings.Contains(req, "4000") {
		t.Errorf("a changed file was used:\n%s", req)
	}
	quit(x)

	// The next shell shows what was added. Ctrl-C decides nothing.
	x = c.shell()
	x.Await("[ken] .ken/memory/team.jsonl of this repository has changed: 1 line new, 0 gone\r\n")
	x.Await("3  (fact) the port is 4000\r\n")
	x.Await(asks)
	if strings.Contains(x.Text(), "pnpm") {
		t.Errorf("what was let in before is shown again:\n%s", x.Text())
	}
	x.Send("\x03")
	x.Await("[ken] not used for now: .ken/memory/team.jsonl")
	quit(x)
	x = c.shell()
	x.Await(asks)
	x.Send("?")
	x.Await("it counts here, as the word of others")
	x.Await(asks)
	x.Send("yes\r")
	x.Await("[ken] team is used in this repository (take it back: :memory trust revoke team)")
	if req := c.ask(x); !strings.Contains(req, "4000") || !strings.Contains(req, "pnpm") {
		t.Errorf("what was let in is not sent:\n%s", req)
	}

	// Taken back, it is gone from the next question, and asked about again.
	x.Await("]> ")
	x.Send(":memory trust revoke team\r")
	x.Await("is asked about again")
	if req := c.ask(x); strings.Contains(req, "4000") {
		t.Errorf("what was taken back was sent:\n%s", req)
	}
	quit(x)
	x = c.shell()
	x.Await("brings memory, .ken/memory/team.jsonl: 3 lines")
	x.Await(asks)
	x.Send("never\r")
	x.Await("[ken] team is never used, and not asked about (take it back: :memory trust revoke team)")
	quit(x)
	c.write(c.log, later+"\n")
	x = c.shell()
	if req := c.ask(x); strings.Contains(req, "4000") || strings.Contains(x.Text(), "team.jsonl") {
		t.Errorf("never was not heard:\n%s", x.Text())
	}
	quit(x)
}

// TestC22Elsewhere: going into a repository in the middle of a conversation
// asks nothing; what was let in there counts there alone.
func TestC22Elsewhere(t *testing.T) {
	t.Parallel()
	c := newClone(t, first)
	x := clitest.Start(t, c.home, c.model)
	x.Await("]> ")
	x.Send("cd tea\r")
	x.Await("[ken] this repository brings memory, .ken/memory/team.jsonl (see it: :memory trust use team)")
	if req := c.ask(x); strings.Contains(req, "pnpm") {
		t.Errorf("nobody let it in:\n%s", req)
	}
	x.Await("]> ")
	x.Send(":memory trust use\r")
	x.Await("use it in this repository? [y] yes  [N] no > ")
	x.Send("y\r")
	x.Await("team is used")
	if req := c.ask(x); !strings.Contains(req, "pnpm") {
		t.Errorf("it was let in:\n%s", req)
	}
	x.Await("]> ")
	x.Send("cd ..\r")
	if req := c.ask(x); strings.Contains(req, "pnpm") {
		t.Errorf("it was sent from elsewhere:\n%s", req)
	}
	quit(x)
}

// TestC22NoMemory: who wants no memory is asked about none.
func TestC22NoMemory(t *testing.T) {
	t.Parallel()
	c := newClone(t, first)
	cmd := clitest.Command(t, c.home, c.model, "--no-memory")
	cmd.Dir = filepath.Join(c.home, "tea")
	x := clitest.Open(t, cmd)
	if c.ask(x); strings.Contains(x.Text(), "team.jsonl") {
		t.Errorf("it was asked about:\n%s", x.Text())
	}
	quit(x)
}
