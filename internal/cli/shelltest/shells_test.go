//go:build linux || darwin

package shelltest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
	"ken/internal/proctest"
)

// A shell of the person's own, and how to have it read the script of "ken init".
type ownShell struct {
	name string
	argv []string
	rc   string // its start-up file below the home directory
	init string
}

func ownShells() []ownShell {
	return []ownShell{
		{"bash", []string{"bash", "--noprofile", "-i"}, ".bashrc", "set -u\nPS1='P> '\neval \"$(ken init bash)\"\neval \"$(ken init bash)\"\n"},
		{"zsh", []string{"zsh", "-i"}, ".zshrc", "setopt nounset\nPS1='P> '\neval \"$(ken init zsh)\"\neval \"$(ken init zsh)\"\n"},
		{"fish", []string{"fish", "-i"}, ".config/fish/config.fish", "set fish_greeting\nfunction fish_prompt; echo -n 'P> '; end\nken init fish | source\nken init fish | source\n"},
	}
}

// startShell starts it in dir, with a ken in its PATH.
func startShell(t *testing.T, dir string, s ownShell, model *llmtest.Server, more ...string) *clitest.Terminal {
	t.Helper()
	cmd := shellCommand(t, dir, s, model)
	cmd.Env = append(cmd.Env, more...)
	x := clitest.Open(t, cmd)
	x.Await("P> ")
	return x
}

func shellCommand(t *testing.T, dir string, s ownShell, model *llmtest.Server) *exec.Cmd {
	t.Helper()
	clitest.Needs(t, s.name)
	rc := filepath.Join(dir, s.rc)
	bin := filepath.Join(dir, "bin")
	for _, d := range []string{filepath.Dir(rc), bin} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(rc, []byte(s.init), 0o600); err != nil {
		t.Fatal(err)
	}
	ken := clitest.Command(t, dir, model)
	if err := os.Symlink(ken.Path, filepath.Join(bin, "ken")); err != nil {
		t.Fatal(err)
	}
	path, err := exec.LookPath(s.name)
	if err != nil {
		t.Fatal(err)
	}
	cmd := proctest.Command(t, path, s.argv[1:]...)
	cmd.Dir = dir
	for _, v := range ken.Env {
		if rest, ok := strings.CutPrefix(v, "PATH="); ok {
			v = "PATH=" + bin + ":" + rest
		}
		cmd.Env = append(cmd.Env, v)
	}
	return cmd
}

// TestShellInit: in bash, zsh and fish a key turns a typed line into a command that
// waits to be edited; "? ..." asks; the last command and its exit code are known; a script
// that is read twice does everything once; the terminal is told where prompts are.
func TestShellInit(t *testing.T) {
	t.Parallel()
	for _, s := range ownShells() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			model := llmtest.New(t, llmtest.Text("```sh\n", "echo made-$((40+2))\n", "rm -rf nothing\n```"), llmtest.Text("four"), llmtest.Text("it is false"))
			x := startShell(t, dir, s, model)
			x.Send("show me the answer\x18\x0b")
			x.Holds("echo made-$((40+2))")
			time.Sleep(200 * time.Millisecond) // nothing tells that the shell did not run it
			if text := x.Text(); strings.Contains(text, "made-42") {
				t.Fatalf("it was run:\n%s", text)
			}
			if s.name == "fish" { // its arithmetic is written another way
				x.Send("\x15echo made-42\r")
			} else {
				x.Send("\r")
			}
			x.Await("\x1b]133;D;0\a")
			if !strings.Contains(x.Text(), "made-42\r\n") {
				t.Errorf("it did not run:\n%s", x.Text())
			}
			x.Await("P> ")
			if got := x.Text(); !strings.Contains(got, "\x1b]133;A\a") || !strings.Contains(got, "\x1b]133;C\a") || !strings.Contains(got, "\x1b]133;D;0\a") {
				t.Errorf("no marks in %q", got)
			}
			x.Send("? what's 2 * 2 (roughly)\r")
			x.Await("four")
			x.Await("P> ")
			x.Send("sh -c 'exit 3'\r")
			x.Await("\x1b]133;D;3\a")
			x.Await("P> ")
			x.Send("ken ask --last what happened\r")
			x.Await("it is false")
			x.Await("P> ")
			x.Send("exit\r")
			x.Exit()
			reqs := model.Requests()
			if got := reqs[0].Messages(); got[len(got)-1].Content != "show me the answer" || !strings.Contains(got[0].Content, "one command line") {
				t.Errorf("asked for a command line with %q", got)
			}
			if got := reqs[1].Messages(); !strings.HasSuffix(got[len(got)-1].Content, "what's 2 * 2 (roughly)") {
				t.Errorf("asked %q", got[len(got)-1].Content)
			}
			want := "what happened\n\n[stdin]\nThe last command line in my shell:\n$ sh -c 'exit 3'\n(exit 3, in ~)"
			if got := reqs[2].Messages(); !strings.HasSuffix(got[len(got)-1].Content, want) {
				t.Errorf("asked %q", got[len(got)-1].Content)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "ken", "run", "shell.*")); s.name != "bash" && len(left) > 0 {
				t.Errorf("left behind: %s", left)
			}
		})
	}
}

// TestB22QuestionStays: a line that begins with "? " is asked as it was typed, whatever the shell would read in
// it; it stays on the screen, and comes back from the history, as something that asks the same again. fish, which
// reads every line, has it in quotes.
func TestB22QuestionStays(t *testing.T) {
	t.Parallel()
	const odd, plain = `what's 2 * 2 (roughly), "isn't it" !x \ $HOME #?`, "how do I undo the last commit"
	typed := map[string][2]string{
		"bash": {"? " + odd, "? " + plain},
		"zsh":  {"? " + odd, "? " + plain},
		"fish": {`\? 'what\'s 2 * 2 (roughly), "isn\'t it" !x \\ $HOME #?'`, `\? ` + plain},
	}
	for _, s := range ownShells() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			if s.name == "bash" { // "!x" is the history's in bash, before anything else reads it
				s.init += "set +H\n"
			}
			model := llmtest.New(t, llmtest.Text("first"), llmtest.Text("second"), llmtest.Text("third"))
			model.Always(llmtest.Text("fourth"))
			x := startShell(t, t.TempDir(), s, model)
			x.Send("? " + odd + "\r")
			x.Await("first")
			x.Await("P> ")
			x.Send("\x1b[A")
			x.AwaitRow("P> " + typed[s.name][0])
			x.Send("\r")
			x.Await("second")
			x.Await("P> ")
			x.Send("? " + plain + "\r")
			x.Await("third")
			x.Await("P> ")
			screen := strings.Join(x.Rows(), "\n")
			twice, once := "P> "+typed[s.name][0]+"\n", "P> "+typed[s.name][1]+"\n"
			if strings.Count(screen, twice) != 2 || !strings.Contains(screen, once) || strings.Contains(screen, "ken ask") {
				t.Errorf("the screen:\n%s", screen)
			}
			for i, want := range []string{odd, odd, plain} {
				if got := model.Requests()[i].Messages(); !strings.HasSuffix(got[len(got)-1].Content, want) {
					t.Errorf("asked %q, want %q", got[len(got)-1].Content, want)
				}
			}
			if s.name == "zsh" { // what holds for the question holds for it alone
				x.Send("print -r -- now $options[banghist] $options[interactivecomments]\r")
				x.Await("now on off")
				x.Await("P> ")
				x.Send("\x1b[200~? two\necho r\x75n\x1b[201~\r") // a line end is no end of a comment
				x.Await("fourth")
				x.Await("P> ")
				if strings.Contains(x.Text(), "\nrun\r") {
					t.Errorf("a line of the question was run:\n%s", x.Text())
				}
			}
			x.Send("exit\r")
			x.Exit()
		})
	}
}

// TestShellNoModel: without a model the typed line stays, and what is missing is said
// below it; a command that the shell keeps out of its history is not told.
func TestShellNoModel(t *testing.T) {
	t.Parallel()
	for _, s := range ownShells() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if s.name == "bash" {
				s.init += "HISTCONTROL=ignoreboth\n"
			}
			if s.name == "zsh" {
				s.init += "setopt histignorespace\n"
			}
			x := startShell(t, dir, s, nil)
			x.Send("echo kept\x18\x0b")
			x.Await("no model is configured")
			x.Send("-it\r")
			x.Await("\x1b]133;D;0\a")
			if !strings.Contains(x.Text(), "kept-it\r\n") {
				t.Errorf("the line did not stay:\n%s", x.Text())
			}
			x.Await("P> ")
			x.Send(" echo secret-word\r")
			x.Await("\x1b]133;D;0\a")
			x.Await("P> ")
			x.Send("cat $KEN_SHELL_STATE; ls -l $KEN_SHELL_STATE\r")
			x.Await("hidden\r\n")
			x.Await("-rw-------")
			x.Await("P> ")
			x.Send("exit\r")
			x.Exit()
		})
	}
}

// TestShellLastOutput: inside tmux the question can take what the last command printed
// along; it is not run again.
func TestShellLastOutput(t *testing.T) {
	t.Parallel()
	clitest.Needs(t, "tmux")
	for _, s := range ownShells() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			model := llmtest.New(t, llmtest.Text("disk is full"))
			cmd := shellCommand(t, dir, s, model)
			tmux := proctest.Command(t, "tmux", append([]string{"-S", filepath.Join(dir, "tmux"), "-f", "/dev/null", "new-session", cmd.Path}, cmd.Args[1:]...)...)
			tmux.Dir, tmux.Env = cmd.Dir, append(cmd.Env, "LC_ALL=C.UTF-8", "SHELL=/bin/sh")
			x := clitest.Open(t, tmux)
			t.Cleanup(func() {
				_ = proctest.CommandContext(t, context.WithoutCancel(t.Context()), "tmux", "-S", filepath.Join(dir, "tmux"), "kill-server").Run()
			})
			x.Await("P> ")
			x.Send("echo before\r")
			x.Await("before")
			x.Send("sh -c 'echo x >>runs; echo no space left; exit 5'\r")
			x.Await("no space left\r\n")
			x.Await("P> ")
			x.Send("ken ask --last --output\r")
			x.Await("disk is full")
			x.Send("exit\r")
			x.Exit()
			msgs := model.Requests()[0].Messages()
			got := msgs[len(msgs)-1].Content
			if !strings.Contains(got, "(exit 5, in ~)\nWhat it printed:\nno space left") || strings.Contains(got, "before") {
				t.Errorf("asked %q", got)
			}
			if runs, _ := os.ReadFile(filepath.Join(dir, "runs")); string(runs) != "x\n" {
				t.Errorf("it ran %q", runs)
			}
		})
	}
}
