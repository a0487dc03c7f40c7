//go:build linux || darwin

package shelltest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
	"ken/internal/proctest"
)

// managers starts ken beside programs that are called npm and pnpm, with a model that answers with these scripts.
func managers(t *testing.T, dir string, model *llmtest.Server, env []string, args ...string) *clitest.Terminal {
	t.Helper()
	bin := filepath.Join(dir, "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"npm", "pnpm", "git"} {
		clitest.Write(t, filepath.Join(bin, name), "#!/bin/sh\necho "+name+" was here\n")
		if err := os.Chmod(filepath.Join(bin, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	cmd := clitest.Command(t, dir, model, args...)
	cmd.Env = append(cmd.Env, append(env, "PATH="+bin+":"+os.Getenv("PATH"))...)
	x := clitest.Open(t, cmd)
	x.Await("]> ")
	return x
}

const lessonAsked = "keep it? [y] keep  [n] refuse  [e] edit  [never] do not ask this again"

// TestR383Offer: a command that was refused and then done otherwise by hand is revised, and its lesson is asked about once, on every
// terminal, kept on a yes alone, for where it was seen.
func TestR383Offer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env, answer, says string
		kept              string // the text of the lesson
	}{
		{"TERM=xterm", "y", "kept #1 for dir:", `use "pnpm install" instead of "npm install"`},
		{"TERM=dumb", "y", "kept #1 for dir:", `use "pnpm install" instead of "npm install"`},
		{"TERM=xterm", "n", "not kept (undo: :review undo p1)", ""},
		{"TERM=xterm", "", "the lesson waits (:review)", ""},
		{"TERM=dumb", "maybe", "the lesson waits (:review)", ""},
	} {
		t.Run(c.env+" "+c.answer, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			x := managers(t, dir, llmtest.New(t, llmtest.Text("CMD: npm install\n"), llmtest.Text("CMD: npm install\n")), []string{c.env})
			x.Send("set it up\r")
			x.Await("[N] no > ")
			x.Send("n\r")
			x.Await("]> ")
			x.Send("$git status\r")
			x.Await("git was here")
			x.Await("]> ")
			x.Send("$pnpm install\r")
			x.Await("pnpm was here")
			x.Await(`a lesson for dir:`)
			x.Await(lessonAsked)
			x.Send(c.answer + "\r")
			times := 1
			if c.answer == "maybe" {
				x.Await("that is no answer; type one of these, and Enter")
				x.Await("[Enter] later > ")
				x.Send(c.answer + "\r")
				times++
			}
			x.Await(c.says)
			x.Await("]> ")
			x.Send("again\r") // what was asked about is not asked about again
			x.Await("[N] no > ")
			x.Send("n\r")
			x.Await("]> ")
			x.Send("$pnpm install\r")
			x.Await("pnpm was here")
			x.Await("]> ")
			x.Quit()
			if n := strings.Count(x.Text(), lessonAsked); n != times {
				t.Errorf("it was asked %d times", n)
			}
			if got := outcomesOf(t, dir); !slices.Contains(got, "revised command 2.1") || slices.Contains(got, "rejected command 2.1") {
				t.Errorf("the session has %q", got)
			}
			var kept []string
			for _, m := range clitest.MemoryLines(t, dir) {
				if m["kind"] != "lesson" || !strings.HasPrefix(fmt.Sprint(m["scope"]), "dir:") {
					t.Errorf("kept was %v", m)
				}
				kept = append(kept, fmt.Sprint(m["content"]))
			}
			if got := strings.Join(kept, ";"); got != c.kept {
				t.Errorf("kept were %q", got)
			}
		})
	}
}

// TestR383Waits: what was not answered is a draft of a look back weeks later, and so is what ken had no time to ask about.
func TestR383Waits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x := managers(t, dir, llmtest.New(t, llmtest.Text("CMD: npm install\n")), []string{"KEN_NOW=2026-05-01T12:00:00Z"})
	x.Send("set it up\r")
	x.Await("[N] no > ")
	x.Send("n")
	x.Await("]> ")
	_ = x.Cmd.Process.Kill() // between the refusal and the line
	x.Exit()
	x = managers(t, dir, nil, []string{"KEN_NOW=2026-05-01T12:01:00Z"}, "-c")
	x.Send("$pnpm install\r")
	x.Await(lessonAsked)
	_ = x.Cmd.Process.Kill() // at the question
	x.Exit()
	cmd := clitest.Command(t, dir, nil, "retrospect")
	cmd.Env = append(cmd.Env, "KEN_NOW=2026-05-22T12:00:00Z")
	out, err := cmd.Output()
	if err != nil || !strings.Contains(string(out), `lesson: use "pnpm install" instead of "npm install"`) ||
		!strings.Contains(string(out), "it waits (ken review yes p1)") {
		t.Errorf("%v: %s", err, out)
	}
	cmd = clitest.Command(t, dir, nil, "retrospect")
	cmd.Env = append(cmd.Env, "KEN_NOW=2026-05-22T12:00:00Z")
	x = clitest.Open(t, cmd)
	x.Await(`[lesson] use "pnpm install" instead of "npm install"`)
	x.Await("keep it? [y] keep  [e] edit  [N] no > ")
	x.Send("y\r")
	x.Await("kept #1 for dir:")
	x.Send("\x03")
	x.Await("kept of this look back:")
	x.Exit()
	lines := clitest.MemoryLines(t, dir)
	if len(lines) == 0 || lines[0]["kind"] != "lesson" || lines[0]["by"] != "user" ||
		!strings.HasPrefix(fmt.Sprint(lines[0]["scope"]), "dir:") {
		t.Errorf("kept were %v", lines)
	}
}

// TestR383Acts: what was refused to a call of a model, and passed over in a run by itself, counts as well; what was refused in
// another conversation does not.
func TestR383Acts(t *testing.T) {
	t.Parallel()
	call := llmtest.Call("c1", "shell", `{"command":"npm install"}`)
	for name, c := range map[string]struct {
		line, at, key string
	}{
		"call": {"set it up\r", "[N] no > ", "n"},
		"run":  {":auto set it up\r", "", "n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			x := managers(t, dir, llmtest.New(t, call, llmtest.Text("Then not.\nGOAL: complete\n")), nil)
			x.Send(c.line)
			x.Await("npm install")
			x.Await("> ")
			x.Send(c.key)
			x.Await("Then not.")
			x.Await("]> ")
			x.Send("$pnpm install\r")
			x.Await(lessonAsked)
			x.Send("\r")
			x.Await("waits")
			x.Await("]> ")
			x.Quit()
			if got := outcomesOf(t, dir); !slices.Equal(got, []string{"revised command c1"}) {
				t.Errorf("the session has %q", got)
			}
		})
	}
	dir := t.TempDir()
	x := managers(t, dir, llmtest.New(t, llmtest.Text("CMD: npm install\n")), nil)
	x.Send("set it up\r")
	x.Await("[N] no > ")
	x.Send("n")
	x.Await("]> ")
	x.Quit()
	x = managers(t, dir, nil, nil)
	x.Send("$pnpm install\r")
	x.Await("pnpm was here")
	x.Await("]> ")
	x.Quit()
	if strings.Contains(x.Text(), lessonAsked) {
		t.Error("what was refused in another conversation counts")
	}
}

// TestR384Asked: the shell asks whether memories of another name hold here, once; a yes is a line of the memory that undo takes back,
// and a no is kept.
func TestR384Asked(t *testing.T) {
	t.Parallel()
	clitest.Needs(t, "git")
	const asked = "do they hold here as well? [y] yes  [never] do not ask this again"
	for answer, says := range map[string]string{
		"y": "memories of example.org/me/atlas hold here as well (undo: :undo 2)",
		"":  "they do not hold here (to be asked again: :memory trust met revoke .)",
	} {
		t.Run(answer, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			atlas := filepath.Join(dir, "atlas")
			git := func(args ...string) {
				t.Helper()
				cmd := proctest.Command(t, "git", append([]string{"-C", atlas, "-c", "user.name=me", "-c", "user.email=me@example.com"}, args...)...)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("git %v: %v\n%s", args, err, out)
				}
			}
			ken := func(args ...string) *exec.Cmd {
				cmd := clitest.Command(t, dir, nil, args...)
				cmd.Dir = atlas
				return cmd
			}
			if err := os.Mkdir(atlas, 0o700); err != nil {
				t.Fatal(err)
			}
			git("init", "-q")
			git("commit", "-q", "--allow-empty", "-m", "first")
			git("remote", "add", "origin", "git@example.org:me/atlas")
			if out, err := ken("remember", "--here", "the deploy host is kettle").CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			git("remote", "set-url", "origin", "https://other.example/me/bigatlas")
			x := clitest.Open(t, ken())
			x.Await("this repository was example.org/me/atlas before, of which there is 1 memory")
			x.Await(asked)
			x.Send(answer + "\r")
			x.Await(says)
			if answer == "y" {
				x.Await("memory: 2 items injected")
				x.Await("]> ")
				x.Send(":undo\r")
				x.Await("undid #2")
			}
			x.Await("]> ")
			x.Quit()
			x = clitest.Open(t, ken())
			x.Await("]> ")
			x.Quit()
			if strings.Contains(x.Text(), asked) || strings.Contains(x.Text(), "injected") {
				t.Error("it is asked again, or holds")
			}
			if answer != "" {
				return
			}
			if out, err := ken("memory", "trust", "met", "revoke", ".").CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			x = clitest.Open(t, ken())
			x.Await(asked)
			x.Send("y\r")
			x.Await("hold here as well")
			x.Await("]> ")
			x.Quit()
		})
	}
}
