//go:build linux || darwin

package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/term"

	"ken/internal/llm/llmtest"
)

// settings are those of the terminal that ken runs on.
func (x *terminal) settings() *term.State {
	x.t.Helper()
	s, err := term.GetState(int(x.tty.Fd()))
	if err != nil {
		x.t.Fatal(err)
	}
	return s
}

// unused are the settings of a terminal that no program has changed yet.
func unused(t *testing.T) *term.State {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	s, err := term.GetState(int(master.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// isAsBefore fails unless the terminal has the settings that it had.
func (x *terminal) isAsBefore(before *term.State) {
	x.t.Helper()
	if diff := cmp.Diff(before, x.settings(), cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
		x.t.Errorf("the terminal's settings (-before +after):\n%s", diff)
	}
}

// needs skips a test whose program is not on this machine.
func needs(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s is not installed", program)
	}
}

// TestS4R41Vim: an editor works inside the shell, and leaves terminal and screen
// as they were.
func TestS4R41Vim(t *testing.T) {
	t.Parallel()
	needs(t, "vim")
	dir := t.TempDir()
	model := llmtest.New(t, llmtest.Text("fine"))
	x := startTerminal(t, dir, model)
	x.await("]> ")
	before := x.settings()
	x.send("$vim -u NONE a.txt\r")
	x.await("── vim -u NONE a.txt ──")
	x.await("\x1b[?1049h")
	x.await("a.txt")
	x.send("iabc\x1b:wq\r")
	x.await("── exit 0 ──")
	x.await("]> ")
	x.isAsBefore(before)
	if text, err := os.ReadFile(filepath.Join(dir, "a.txt")); string(text) != "abc\n" {
		t.Errorf("the file holds %q, %v", text, err)
	}
	x.mu.Lock()
	if screen := x.screen.String(); !strings.Contains(screen, "── vim") || strings.Contains(screen, "~") && strings.Contains(screen, "abc") {
		t.Errorf("the screen:\n%s", screen)
	}
	x.mu.Unlock()
	x.send("done?\r")
	x.await("fine")
	if msgs := model.Requests()[0].Messages(); !strings.HasPrefix(msgs[1].Content, "[exec output]\n$ vim -u NONE a.txt\n[end of exec output]\n\ndone?") {
		t.Errorf("the model was told %q", msgs[1].Content)
	}
	x.send(":quit\r")
	if code := x.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestS5R41Less: a pager and a monitor work, and follow the size of the terminal.
func TestS5R41Less(t *testing.T) {
	t.Parallel()
	needs(t, "less")
	dir := t.TempDir()
	var big strings.Builder
	for i := range 200 {
		big.WriteString("line " + string(rune('a'+i%26)) + strings.Repeat("x", i) + "\n")
	}
	if err := os.WriteFile(filepath.Join(dir, "big.txt"), []byte(big.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	x := startTerminal(t, dir, nil)
	x.await("]> ")
	before := x.settings()
	x.send("less big.txt\r") // a word that is a command, and a file
	x.await("line w" + strings.Repeat("x", 22))
	x.await("big.txt")
	if err := pty.Setsize(x.tty, &pty.Winsize{Rows: 40, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	x.send("r")                                 // less may have missed the signal just before it waited for a key
	x.await("line m" + strings.Repeat("x", 38)) // the 39th line, which 24 rows do not show
	x.send("q")
	x.await("── exit 0 ──")
	x.await("]> ")
	x.isAsBefore(before)
	if _, err := exec.LookPath("htop"); err == nil {
		x.send(":exec htop\r")
		x.await("\x1b[?1049h")
		x.await("Quit")
		x.send("q")
		x.await("── exit 0 ──")
		x.await("]> ")
		x.isAsBefore(before)
	}
	x.send(":quit\r")
	if code := x.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestS6ExitCodes: the frame says how a command ended, Ctrl-C is the command's,
// and the shell goes on.
func TestS6ExitCodes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t, llmtest.Text("I see"))
	x := startTerminal(t, dir, model)
	x.await("]> ")
	before := x.settings()
	for _, c := range []struct{ line, code string }{
		{"$true", "0"},
		{"$false", "1"},
		{"$sh -c 'exit 7'", "7"},
		{":exec kill -9 $$", "137"},
		{"$nonexistent-program", "127"},
	} {
		x.send(c.line + "\r")
		x.await("── exit " + c.code + " ──")
		x.await("]> ")
		x.isAsBefore(before)
	}
	x.send("$" + loop + "\r")
	x.await("\r\nup\r\n")
	x.send("\x03")
	x.await("── exit 130 ──")
	x.await("]> ")
	x.isAsBefore(before)
	x.send("$printf 'a\\nb\\nc\\n'\r")
	x.await(" ──")
	x.await("\r\na\r\nb\r\nc\r\n── exit 0")
	x.send("$printf 'no end'\r")
	x.await("\r\nno end\r\n── exit 0")
	x.await("]> ")
	x.send("what happened?\r")
	x.await("I see")
	x.send(":quit\r")
	if code := x.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	text := sessionText(t, dir)
	for _, want := range []string{
		`"event":"exec","cmd":"sh -c 'exit 7'","lane":"user","exit":7,"bytes":0}`,
		`"event":"exec","cmd":"printf 'a\\nb\\nc\\n'","lane":"user","exit":0,"bytes":9}`, // with the carriage returns of a terminal
		`$ sh -c 'exit 7'\n(exit 7)\n`,
		`$ printf 'a\\nb\\nc\\n'\na\nb\nc\n`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the session does not have %s:\n%s", want, text)
		}
	}
}

// loop is a command line that says that it is up and then waits to be ended. A
// shell that is about to start a long sleep may notice an interrupt only after it.
const loop = "echo up; while :; do sleep 0.01; done"

// TestS7InterruptPiped: with a script on standard input Ctrl-C is the command's as
// well.
func TestS7InterruptPiped(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"$", ":exec ", ":exec -- "} {
		cmd := kenCommand(t, t.TempDir(), nil)
		cmd.Stdin = strings.NewReader(line + loop + "\n$echo survived\n")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		buf := make([]byte, 64)
		for {
			n, err := out.Read(buf)
			got.Write(buf[:n])
			if got.String() == "up\n" {
				if err := cmd.Process.Signal(os.Interrupt); err != nil {
					t.Fatal(err)
				}
			}
			if err != nil {
				break
			}
		}
		if code := exitCode(t, cmd.Wait()); code != 0 || got.String() != "up\nsurvived\n" {
			t.Errorf("%q: exit code %d, output %q", line, code, got.String())
		}
	}
}

// TestExecInterrupt: outside the shell, too, the command decides what an interrupt
// means.
func TestExecInterrupt(t *testing.T) {
	t.Parallel()
	for line, code := range map[string]int{
		loop:                         130,
		"trap 'exit 3' INT; " + loop: 3,
	} {
		cmd := kenCommand(t, t.TempDir(), nil, "exec", line)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 16)); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		if got := exitCode(t, cmd.Wait()); got != code {
			t.Errorf("%q: exit code %d, want %d", line, got, code)
		}
	}
}

// TestS10Terminated: ken that is ended inside an editor leaves a terminal that can
// be used.
func TestS10Terminated(t *testing.T) {
	t.Parallel()
	needs(t, "vim")
	for signal, code := range map[syscall.Signal]int{syscall.SIGTERM: 143, syscall.SIGHUP: 129, syscall.SIGSEGV: 0, syscall.SIGQUIT: 0} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			x := startTerminal(t, dir, nil)
			x.await("]> ")
			before := unused(t)
			x.send("$vim -u NONE a.txt\r")
			x.await("\x1b[?1049h")
			x.await("a.txt")
			if err := x.cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if got := x.exit(); code != 0 && got != code {
				t.Errorf("exit code %d, want %d", got, code)
			}
			x.isAsBefore(before)
			if code != 0 {
				x.await("\x1b[?1049l")
			}
		})
	}
}

// TestS8Prompt: the prompt follows the directory.
func TestS8Prompt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	x := startTerminal(t, dir, nil)
	x.await("[ken ~]> ")
	x.send("cd sub\r")
	x.await("[ken ~/sub]> ")
	x.send("cd /usr\r")
	x.await("[ken /usr]> ")
	x.send("cd -\r")
	x.await("[ken ~/sub]> ")
	x.send("cd /nope\r")
	x.await("ken: error: cd /nope: no such file or directory")
	x.await("[ken ~/sub]> ")
	x.send("cd\r")
	x.await("[ken ~]> ")
	x.send(":quit\r")
	x.exit()
}
