//go:build linux || darwin

package shelltest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
	"ken/internal/proctest"
	"ken/internal/ttytest"
)

// TestR41Nano: an editor that writes with keys of its own works.
func TestR41Nano(t *testing.T) {
	t.Parallel()
	clitest.Needs(t, "nano")
	dir := t.TempDir()
	x := clitest.Start(t, dir, nil)
	x.Await("]> ")
	before := x.Settings()
	x.Send("$nano -I n.txt\r")
	x.Await("Exit")
	x.Send("typed in nano\x0f\r")
	x.Await("Wrote 1 line")
	x.Send("\x18")
	x.Await("── exit 0 ──")
	x.Await("]> ")
	x.IsAsBefore(before)
	if text, err := os.ReadFile(filepath.Join(dir, "n.txt")); string(text) != "typed in nano\n" {
		t.Errorf("the file holds %q, %v", text, err)
	}
}

// TestR41Password: a program that asks for a password on /dev/tty, as sudo and ssh do,
// gets it; it is on no screen and in no file.
func TestR41Password(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t, llmtest.Text("fine"))
	script := `exec 3</dev/tty 4>/dev/tty
was=$(stty -g <&3); stty -echo <&3
printf 'Password: ' >&4; read -r pw <&3; stty "$was" <&3; printf '\n' >&4
[ "$pw" = hunter-two-2 ] && echo welcome`
	if err := os.WriteFile(filepath.Join(dir, "ask.sh"), []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	x := clitest.Start(t, dir, model)
	x.Await("]> ")
	x.Send("$sh ask.sh </dev/null | cat\r")
	x.Await("Password: ")
	x.Send("hunter-two-2\r")
	x.Await("welcome\r\n")
	x.Await("── exit 0 ──")
	x.Await("]> ")
	x.Send("who was that?\r")
	x.Await("fine")
	x.Send(":quit\r")
	x.Exit()
	if strings.Contains(x.Text(), "hunter") {
		t.Error("the password was shown")
	}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "ask.sh" {
			return err
		}
		b, err := os.ReadFile(path)
		if strings.Contains(string(b), "hunter") {
			t.Errorf("%s has the password", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if body := fmt.Sprint(model.Requests()[0].Messages()); strings.Contains(body, "hunter") || !strings.Contains(body, "welcome") {
		t.Errorf("the model was told %s", body)
	}
}

// TestR41Rebase: git opens an editor on the terminal, and goes on with what was written
// there.
func TestR41Rebase(t *testing.T) {
	t.Parallel()
	clitest.Needs(t, "git")
	clitest.Needs(t, "vim")
	dir := t.TempDir()
	git := func(args ...string) string {
		cmd := proctest.Command(t, "git", args...)
		cmd.Dir = dir
		cmd.Env = append(cmd.Env, "HOME="+dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	git("init", "-q")
	git("config", "--global", "user.name", "Ada")
	git("config", "--global", "user.email", "ada@example.org")
	for _, name := range []string{"one", "two", "three"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		git("add", name)
		git("commit", "-qm", name)
	}
	x := clitest.StartEnv(t, dir, []string{"GIT_EDITOR=vim -u NONE"})
	x.Await("]> ")
	before := x.Settings()
	x.Send("git rebase -i --root\r")
	x.Await("git-rebase-todo")
	x.Send(":2s/^pick/drop/\r:wq\r")
	x.Await("Successfully rebased")
	x.Await("── exit 0 ──")
	x.Await("]> ")
	x.IsAsBefore(before)
	if log := git("log", "--format=%s"); log != "three\none\n" {
		t.Errorf("the log is %q", log)
	}
}

// TestT5SaneAfterKill: in a real terminal, after a command that was killed while it had
// changed it, each mode is as it was, and the next prompt can be read and typed at.
func TestT5SaneAfterKill(t *testing.T) {
	t.Parallel()
	clitest.Needs(t, "tmux")
	dir := t.TempDir()
	socket := filepath.Join(dir, "tmux")
	ken := clitest.Command(t, dir, nil)
	ken.Env = append(ken.Env, "LC_ALL=C.UTF-8", "SHELL=/bin/sh")
	bin := filepath.Join(dir, "ken-bin")
	if err := os.Symlink(ken.Path, bin); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "b", "ken")
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(ken.Path, link); err != nil {
		t.Fatal(err)
	}
	tmux := func(args ...string) string {
		cmd := proctest.Command(t, "tmux", append([]string{"-S", socket, "-f", "/dev/null"}, args...)...)
		cmd.Dir, cmd.Env = dir, ken.Env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	tmux("new-session", "-d", "-x", "100", "-y", "30", link)
	t.Cleanup(func() {
		_ = proctest.CommandContext(t, context.WithoutCancel(t.Context()), "tmux", "-S", socket, "kill-server").Run()
	})
	screen := func() string { return tmux("capture-pane", "-p") }
	until := func(what string, ok func(string) bool) (got string) {
		t.Helper()
		if !proctest.Within(ttytest.Patience, func() bool { got = screen(); return ok(got) }) {
			t.Fatalf("%s: the screen stays\n%s", what, got)
		}
		return got
	}
	prompt := func(s string) bool {
		return strings.HasSuffix(strings.TrimRight(s, "\n "), "]>")
	}
	const format = "alternate #{alternate_on} cursor #{cursor_flag} insert #{insert_flag} keys #{keypad_cursor_flag} keypad #{keypad_flag} mouse #{mouse_any_flag} #{mouse_all_flag} #{mouse_button_flag} #{mouse_sgr_flag} #{mouse_standard_flag} #{mouse_utf8_flag} origin #{origin_flag} region #{scroll_region_upper} #{scroll_region_lower} wrap #{wrap_flag} title #{pane_title}"
	until("start", prompt)
	before := ""
	until("start", func(string) bool { // the line editor hides the cursor while it draws
		before = tmux("display-message", "-p", format)
		return strings.Contains(before, "cursor 1")
	})
	for i, c := range []struct{ name, on string }{
		{"alternate screen", `\033[?1049h\033[2J`},
		{"old alternate screen", `\033[?47h`},
		{"cursor", `\033[?25l`},
		{"mouse", `\033[?1000h\033[?1003h\033[?1006h`},
		{"paste", `\033[?2004h`},
		{"cursor keys", `\033[?1h\033=`},
		{"insert", `\033[4h`},
		{"wrap", `\033[?7l`},
		{"scroll region", `\033[3;9r\033[?6h`},
		{"character set", `\033(0`},
		{"other character set", `\033)0\016`},
		{"colour", `\033[8;31;41m`},
		{"title", `\033]2;another\007`},
		{"keyboard", `\033[>1u\033[>4;2m`},
		{"cursor's shape", `\033[5 q`},
		{"half a sequence", `\033[3`},
		{"a string without an end", `\033]2;for ever`},
		{"raw settings", `$(stty raw -echo)`},
	} {
		tmux("send-keys", "-l", fmt.Sprintf(`$printf "%s"; kill -KILL $$`, c.on))
		tmux("send-keys", "Enter")
		until(c.name, func(s string) bool { return strings.Contains(s, "exit 137") && prompt(s) })
		word := "lqk" + strconv.Itoa(i)
		tmux("send-keys", "-l", "$echo "+word)
		until(c.name+": typing", func(s string) bool { return strings.HasSuffix(strings.TrimRight(s, "\n "), "$echo "+word) })
		tmux("send-keys", "Enter")
		until(c.name+": the next command", func(s string) bool { return strings.Contains(s, "\n"+word+"\n") && prompt(s) })
		now := ""
		proctest.Within(2*time.Second, func() bool { now = tmux("display-message", "-p", format); return now == before })
		if diff := cmp.Diff(before, now); diff != "" {
			t.Errorf("%s (-before +after):\n%s", c.name, diff)
		}
		tmux("send-keys", "-l", "$clear")
		tmux("send-keys", "Enter")
		until(c.name+": clear", func(s string) bool { return !strings.Contains(s, word) && prompt(s) })
	}
}

// TestDeafChild: a command that ignores what ends others keeps the terminal as it would
// anywhere; once it is killed, or ken is ended, the terminal is right.
func TestDeafChild(t *testing.T) {
	t.Parallel()
	const deaf = "$trap '' INT TERM HUP QUIT TSTP; echo $$ >pid; echo deaf; while :; do sleep 0.05; done\r"
	dir := t.TempDir()
	x := clitest.Start(t, dir, nil)
	x.Await("]> ")
	before := x.Settings()
	x.Send(deaf)
	x.Await("\r\ndeaf\r\n")
	x.Send("\x03\x1a\x1c")
	text, err := os.ReadFile(filepath.Join(dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	x.Await("── exit 137 ──")
	x.Await("]> ")
	x.IsAsBefore(before)
	x.Send(deaf)
	x.Await("\r\ndeaf\r\n")
	found := ttytest.Unused(t)
	if err := x.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := x.Exit(); code != 143 {
		t.Errorf("exit code %d", code)
	}
	x.IsAsBefore(found)
}

// TestS10Killed: after KILL of ken itself, of which it can learn nothing, the terminal is
// right as well, once a command has had it for a moment.
func TestS10Killed(t *testing.T) {
	t.Parallel()
	clitest.Needs(t, "vim")
	dir := t.TempDir()
	x := clitest.Start(t, dir, nil)
	x.Await("]> ")
	before := ttytest.Unused(t)
	x.Send("$vim -u NONE a.txt\r")
	x.Await("\x1b[?1049h")
	x.Await("a.txt")
	time.Sleep(500 * time.Millisecond) // by then there is a guard
	if err := x.Cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if code := x.Exit(); code != 137 {
		t.Errorf("exit code %d", code)
	}
	x.Await("\x1b[?1049l")
	if !x.Ended() {
		t.Error("somebody keeps the terminal")
	}
	x.IsAsBefore(before)
}
