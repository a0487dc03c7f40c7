//go:build linux || darwin

package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/llm/llmtest"
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
func startShell(t *testing.T, dir string, s ownShell, model *llmtest.Server, more ...string) *terminal {
	t.Helper()
	cmd := shellCommand(t, dir, s, model)
	cmd.Env = append(cmd.Env, more...)
	x := openTerminal(t, cmd)
	x.await("P> ")
	return x
}

func shellCommand(t *testing.T, dir string, s ownShell, model *llmtest.Server) *exec.Cmd {
	t.Helper()
	needs(t, s.name)
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
	ken := kenCommand(t, dir, model)
	if err := os.Symlink(ken.Path, filepath.Join(bin, "ken")); err != nil {
		t.Fatal(err)
	}
	path, err := exec.LookPath(s.name)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, s.argv[1:]...)
	cmd.Dir = dir
	for _, v := range ken.Env {
		if rest, ok := strings.CutPrefix(v, "PATH="); ok {
			v = "PATH=" + bin + ":" + rest
		}
		cmd.Env = append(cmd.Env, v)
	}
	return cmd
}

// holds waits until text stands on the screen, however it was drawn.
func (x *terminal) holds(text string) {
	x.t.Helper()
	late := false
	timeout := time.AfterFunc(patience, func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		late = true
		x.grown.Broadcast()
	})
	defer timeout.Stop()
	x.mu.Lock()
	defer x.mu.Unlock()
	for !strings.Contains(x.screen.String(), text) {
		if late || x.closed {
			x.t.Fatalf("%q is not on the screen:\n%s", text, x.screen.String())
		}
		x.grown.Wait()
	}
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
			x.send("show me the answer\x18\x0b")
			x.holds("echo made-$((40+2))")
			time.Sleep(200 * time.Millisecond) // nothing tells that the shell did not run it
			if text := x.text(); strings.Contains(text, "made-42") {
				t.Fatalf("it was run:\n%s", text)
			}
			if s.name == "fish" { // its arithmetic is written another way
				x.send("\x15echo made-42\r")
			} else {
				x.send("\r")
			}
			x.await("\x1b]133;D;0\a")
			if !strings.Contains(x.text(), "made-42\r\n") {
				t.Errorf("it did not run:\n%s", x.text())
			}
			x.await("P> ")
			if got := x.text(); !strings.Contains(got, "\x1b]133;A\a") || !strings.Contains(got, "\x1b]133;C\a") || !strings.Contains(got, "\x1b]133;D;0\a") {
				t.Errorf("no marks in %q", got)
			}
			x.send("? what's 2 * 2 (roughly)\r")
			x.await("four")
			x.await("P> ")
			x.send("sh -c 'exit 3'\r")
			x.await("\x1b]133;D;3\a")
			x.await("P> ")
			x.send("ken ask --last what happened\r")
			x.await("it is false")
			x.await("P> ")
			x.send("exit\r")
			x.exit()
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
			x.send("echo kept\x18\x0b")
			x.await("no model is configured")
			x.send("-it\r")
			x.await("\x1b]133;D;0\a")
			if !strings.Contains(x.text(), "kept-it\r\n") {
				t.Errorf("the line did not stay:\n%s", x.text())
			}
			x.await("P> ")
			x.send(" echo secret-word\r")
			x.await("\x1b]133;D;0\a")
			x.await("P> ")
			x.send("cat $KEN_SHELL_STATE; ls -l $KEN_SHELL_STATE\r")
			x.await("hidden\r\n")
			x.await("-rw-------")
			x.await("P> ")
			x.send("exit\r")
			x.exit()
		})
	}
}

// TestShellLastOutput: inside tmux the question can take what the last command printed
// along; it is not run again.
func TestShellLastOutput(t *testing.T) {
	t.Parallel()
	needs(t, "tmux")
	for _, s := range ownShells() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			model := llmtest.New(t, llmtest.Text("disk is full"))
			cmd := shellCommand(t, dir, s, model)
			tmux := exec.CommandContext(t.Context(), "tmux", append([]string{"-S", filepath.Join(dir, "tmux"), "-f", "/dev/null", "new-session", cmd.Path}, cmd.Args[1:]...)...)
			tmux.Dir, tmux.Env = cmd.Dir, append(cmd.Env, "LC_ALL=C.UTF-8", "SHELL=/bin/sh")
			x := openTerminal(t, tmux)
			t.Cleanup(func() { _ = exec.Command("tmux", "-S", filepath.Join(dir, "tmux"), "kill-server").Run() })
			x.await("P> ")
			x.send("echo before\r")
			x.await("before")
			x.send("sh -c 'echo x >>runs; echo no space left; exit 5'\r")
			x.await("no space left\r\n")
			x.await("P> ")
			x.send("ken ask --last --output\r")
			x.await("disk is full")
			x.send("exit\r")
			x.exit()
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
