//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// shell starts ken in the repository.
func (c *clone) shell() *terminal {
	c.t.Helper()
	cmd := kenCommand(c.t, c.home, c.model)
	cmd.Dir = filepath.Join(c.home, "tea")
	return openTerminal(c.t, cmd)
}

// ask asks the model something and returns the request.
func (c *clone) ask(x *terminal) string {
	c.t.Helper()
	x.await("]> ")
	x.send("what now?\r")
	x.await("fine")
	reqs := c.model.Requests()
	return string(reqs[len(reqs)-1].Body)
}

func quit(x *terminal) {
	x.t.Helper()
	x.await("]> ")
	x.send(":quit\r")
	if code := x.exit(); code != 0 {
		x.t.Errorf("exit code %d", code)
	}
}

// printed is all that x printed so far.
func printed(x *terminal) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.output.String()
}

const (
	asks  = "use it here? type use, ignore or never [ignore] "
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
	x.await("[ken] this repository brings memory, .ken/memory/team.jsonl: 2 lines\r\n")
	x.await("1  (convention) use pnpm‹U+202E›\\x1b[31m\r\n")
	x.await("2  (rule) never push  [a rule: it waits in any case]  by=\"user\"\r\n")
	x.await(asks)
	x.send("\r")
	x.await("[ken] team is ignored until it changes (use it: :memory trust use team)")
	if req := c.ask(x); strings.Contains(req, "pnpm") {
		t.Errorf("what is ignored was sent:\n%s", req)
	}
	quit(x)
	x = c.shell()
	if req := c.ask(x); strings.Contains(req, "pnpm") || strings.Contains(printed(x), "team.jsonl") {
		t.Errorf("it was asked about twice:\n%s", printed(x))
	}

	// In the same shell, after another thought.
	x.await("]> ")
	x.send(":memory trust use team\r")
	x.await("use it in this repository? [y/N] ")
	x.send("y\r")
	x.await("team is used (take it back: :memory trust revoke team)")
	if req := c.ask(x); !strings.Contains(req, "(convention, external) use pnpm") || strings.Contains(req, "never push") {
		t.Errorf("what was let in, and nothing else, is to be sent:\n%s", req)
	}

	// While the shell runs the file changes: what was not seen does not count.
	c.write(c.log, strings.Join([]string{first, rule, later}, "\n")+"\n")
	x.await("]> ")
	x.send(":memory inject\r")
	if req := c.ask(x); strings.Contains(req, "pnpm") || strings.Contains(req, "4000") {
		t.Errorf("a changed file was used:\n%s", req)
	}
	quit(x)

	// The next shell shows what was added. Ctrl-C decides nothing.
	x = c.shell()
	x.await("[ken] .ken/memory/team.jsonl of this repository has changed: 1 line new, 0 gone\r\n")
	x.await("3  (fact) the port is 4000\r\n")
	x.await(asks)
	if strings.Contains(printed(x), "pnpm") {
		t.Errorf("what was let in before is shown again:\n%s", printed(x))
	}
	x.send("\x03")
	x.await("[ken] not used for now: .ken/memory/team.jsonl")
	quit(x)
	x = c.shell()
	x.await(asks)
	x.send("yes\r")
	x.await("use: it counts here, as the word of others; ignore: not until it changes; never: do not ask again")
	x.await(asks)
	x.send("use\r")
	x.await("[ken] team is used in this repository (take it back: :memory trust revoke team)")
	if req := c.ask(x); !strings.Contains(req, "4000") || !strings.Contains(req, "pnpm") {
		t.Errorf("what was let in is not sent:\n%s", req)
	}

	// Taken back, it is gone from the next question, and asked about again.
	x.await("]> ")
	x.send(":memory trust revoke team\r")
	x.await("is asked about again")
	if req := c.ask(x); strings.Contains(req, "4000") {
		t.Errorf("what was taken back was sent:\n%s", req)
	}
	quit(x)
	x = c.shell()
	x.await("brings memory, .ken/memory/team.jsonl: 3 lines")
	x.await(asks)
	x.send("never\r")
	x.await("[ken] team is never used, and not asked about (take it back: :memory trust revoke team)")
	quit(x)
	c.write(c.log, later+"\n")
	x = c.shell()
	if req := c.ask(x); strings.Contains(req, "4000") || strings.Contains(printed(x), "team.jsonl") {
		t.Errorf("never was not heard:\n%s", printed(x))
	}
	quit(x)
}

// TestC22Elsewhere: going into a repository in the middle of a conversation
// asks nothing; what was let in there counts there alone.
func TestC22Elsewhere(t *testing.T) {
	t.Parallel()
	c := newClone(t, first)
	x := startTerminal(t, c.home, c.model)
	x.await("]> ")
	x.send("cd tea\r")
	x.await("[ken] this repository brings memory, .ken/memory/team.jsonl (see it: :memory trust use team)")
	if req := c.ask(x); strings.Contains(req, "pnpm") {
		t.Errorf("nobody let it in:\n%s", req)
	}
	x.await("]> ")
	x.send(":memory trust use\r")
	x.await("use it in this repository? [y/N] ")
	x.send("y\r")
	x.await("team is used")
	if req := c.ask(x); !strings.Contains(req, "pnpm") {
		t.Errorf("it was let in:\n%s", req)
	}
	x.await("]> ")
	x.send("cd ..\r")
	if req := c.ask(x); strings.Contains(req, "pnpm") {
		t.Errorf("it was sent from elsewhere:\n%s", req)
	}
	quit(x)
}

// TestC22NoMemory: who wants no memory is asked about none.
func TestC22NoMemory(t *testing.T) {
	t.Parallel()
	c := newClone(t, first)
	cmd := kenCommand(t, c.home, c.model, "--no-memory")
	cmd.Dir = filepath.Join(c.home, "tea")
	x := openTerminal(t, cmd)
	if c.ask(x); strings.Contains(printed(x), "team.jsonl") {
		t.Errorf("it was asked about:\n%s", printed(x))
	}
	quit(x)
}
