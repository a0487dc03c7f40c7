//go:build unix

package shelltest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/proctest"
)

// shellWithKen is a shell that finds ken on its PATH, with the files of ken below
// dir and no settings of the person's.
func shellWithKen(t *testing.T, dir, shell string, args ...string) *exec.Cmd {
	t.Helper()
	if _, err := exec.LookPath(shell); err != nil {
		t.Skipf("no %s here", shell)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(exe, filepath.Join(bin, "ken")); err != nil {
		t.Fatal(err)
	}
	cmd := proctest.Command(t, shell, args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Env,
		"HOME="+dir, "KEN_HOME="+filepath.Join(dir, "ken"), "PATH="+bin+":"+os.Getenv("PATH"),
		"TERM=xterm", "PS1=ready> ", "INPUTRC=/dev/null", "ZDOTDIR="+dir, clitest.Index(),
	)
	return cmd
}

// TestCompletionInBash asks the script for bash for words as bash does.
func TestCompletionInBash(t *testing.T) {
	dir := t.TempDir()
	for _, text := range []string{"the staging host is kettle", "answers are short"} {
		if out, err := clitest.Command(t, dir, nil, "remember", text).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	const ask = `eval "$(ken completion bash)" || exit 1
compopt() { :; }
COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=9
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
__start_ken
printf '%s\n' "${COMPREPLY[@]}"`
	for _, c := range []struct {
		words []string // as bash parts the line
		want  string
	}{
		{[]string{"ken", "mem"}, "memory"},
		{[]string{"ken", "memory", "hi"}, "history"},
		{[]string{"ken", "memory", "list", "--js"}, "--json"},
		{[]string{"ken", "memory", "list", "--kind", "go"}, "gotcha goal"},
		{[]string{"ken", "memory", "list", "--kind", "=", "got"}, "gotcha"},
		{[]string{"ken", "forget", "2", ""}, "1"},
		{[]string{"ken", "forget", "9"}, ""},
		{[]string{"ken", "completion", "f"}, "fish"},
		{[]string{"ken", "remember", "--kind", "pref", "a"}, ""},
		{[]string{"ken", "nonsense", ""}, ""},
	} {
		line := strings.Join(c.words, " ")
		cmd := shellWithKen(t, t.TempDir(), "bash", append([]string{"--norc", "-c", ask, "bash", line}, c.words...)...)
		cmd.Env = append(cmd.Env, "KEN_HOME="+filepath.Join(dir, "ken"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
		if got := strings.TrimSpace(strings.ReplaceAll(string(out), "\n", " ")); got != c.want {
			t.Errorf("%s: %q, want %q", line, got, c.want)
		}
	}
}

// TestCompletionByTab presses Tab in real shells.
func TestCompletionByTab(t *testing.T) {
	for _, c := range []struct {
		shell string
		args  []string
		setup string
	}{
		{"bash", []string{"--norc", "--noprofile", "-i"}, `eval "$(ken completion bash)"`},
		{"zsh", []string{"-f", "-i"}, "autoload -U compinit; compinit -D; source <(ken completion zsh); PS1='ready> '"},
		{"fish", []string{"--no-config", "-i", "-C", "function fish_prompt; echo -n 'ready> '; end"}, "ken completion fish | source"},
	} {
		t.Run(c.shell, func(t *testing.T) {
			dir := t.TempDir()
			x := clitest.Open(t, shellWithKen(t, dir, c.shell, c.args...))
			x.Await("ready> ")
			x.Send("ken remember the staging host is kettle\r")
			x.Await("remembered #1")
			x.Send(c.setup + "; echo se''tup\r")
			x.Await("setup")
			x.Await("ready> ")
			x.Send("ken memory sh\t")
			x.Await("memory show ")
			x.Send("\t")
			x.Await("1")
			x.Send("\r")
			x.Await("the staging host is kettle")
			x.Send("exit\r")
			_ = x.Exit()
		})
	}
}
