//go:build linux || darwin

package shelltest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
	"ken/internal/pty/pair"
	"ken/internal/ttytest"
)

// TestS4R41Vim: an editor works inside the shell, and leaves terminal and screen
// as they were.
func TestS4R41Vim(t *testing.T) {
	t.Parallel()
	clitest.Needs(t, "vim")
	dir := t.TempDir()
	model := llmtest.New(t, llmtest.Text("fine"))
	x := clitest.Start(t, dir, model)
	x.Await("]> ")
	before := x.Settings()
	x.Send("$vim -u NONE a.txt\r")
	x.Await("── vim -u NONE a.txt ──")
	x.Await("\x1b[?1049h")
	x.Await("a.txt")
	x.Send("iabc\x1b:wq\r")
	x.Await("── exit 0 ──")
	x.Await("]> ")
	x.IsAsBefore(before)
	if text, err := os.ReadFile(filepath.Join(dir, "a.txt")); string(text) != "abc\n" {
		t.Errorf("the file holds %q, %v", text, err)
	}
	if screen := x.Screen(); !strings.Contains(screen, "── vim") || strings.Contains(screen, "~") && strings.Contains(screen, "abc") {
		t.Errorf("the screen:\n%s", screen)
	}
	x.Send("done?\r")
	x.Await("fine")
	if msgs := model.Requests()[0].Messages(); !strings.HasPrefix(msgs[1].Content, "[exec output]\n$ vim -u NONE a.txt\n[end of exec output]\n\ndone?") {
		t.Errorf("the model was told %q", msgs[1].Content)
	}
	x.Send(":quit\r")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestS5R41Less: a pager and a monitor work, and follow the size of the terminal.
func TestS5R41Less(t *testing.T) {
	t.Parallel()
	clitest.Needs(t, "less")
	dir := t.TempDir()
	var big strings.Builder
	for i := range 200 {
		big.WriteString("line " + string(rune('a'+i%26)) + strings.Repeat("x", i) + "\n")
	}
	if err := os.WriteFile(filepath.Join(dir, "big.txt"), []byte(big.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	x := clitest.Start(t, dir, nil)
	x.Await("]> ")
	before := x.Settings()
	x.Send("less big.txt\r") // a word that is a command, and a file
	x.Await("line w" + strings.Repeat("x", 22))
	x.Await("big.txt")
	if err := pair.Resize(x.TTY, 40, 100); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)          // the size goes through ken, and nothing tells when it arrived
	x.Send("r")                                 // less may have missed the signal just before it waited for a key
	x.Await("line m" + strings.Repeat("x", 38)) // the 39th line, which 24 rows do not show
	x.Send("q")
	x.Await("── exit 0 ──")
	x.Await("]> ")
	x.IsAsBefore(before)
	if _, err := exec.LookPath("htop"); err == nil {
		x.Send(":exec htop\r")
		x.Await("\x1b[?1049h")
		x.Await("Quit")
		x.Send("q")
		x.Await("── exit 0 ──")
		x.Await("]> ")
		x.IsAsBefore(before)
	}
	x.Send(":quit\r")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestS6ExitCodes: the frame says how a command ended, Ctrl-C is the command's,
// and the shell goes on.
func TestS6ExitCodes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t, llmtest.Text("I see"))
	x := clitest.Start(t, dir, model)
	x.Await("]> ")
	before := x.Settings()
	for _, c := range []struct{ line, code string }{
		{"$true", "0"},
		{"$false", "1"},
		{"$sh -c 'exit 7'", "7"},
		{":exec kill -9 $$", "137"},
		{"$nonexistent-program", "127"},
	} {
		x.Send(c.line + "\r")
		x.Await("── exit " + c.code + " ──")
		x.Await("]> ")
		x.IsAsBefore(before)
	}
	x.Send("$" + loop + "\r")
	x.Await("\r\nup\r\n")
	x.Send("\x03")
	x.Await("── exit 130 ──")
	x.Await("]> ")
	x.IsAsBefore(before)
	x.Send("$printf 'a\\nb\\nc\\n'\r")
	x.Await(" ──")
	x.Await("\r\na\r\nb\r\nc\r\n── exit 0")
	x.Send("$printf 'no end'\r")
	x.Await("\r\nno end\r\n── exit 0")
	x.Await("]> ")
	x.Send("what happened?\r")
	x.Await("I see")
	x.Send(":quit\r")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	text := clitest.Sessions(t, dir)
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
		cmd := clitest.Command(t, t.TempDir(), nil)
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
		if code := ttytest.ExitCode(t, cmd.Wait()); code != 0 || got.String() != "up\nsurvived\n" {
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
		cmd := clitest.Command(t, t.TempDir(), nil, "exec", line)
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
		if got := ttytest.ExitCode(t, cmd.Wait()); got != code {
			t.Errorf("%q: exit code %d, want %d", line, got, code)
		}
	}
}

// TestS10Terminated: ken that is ended inside an editor leaves a terminal that can
// be used.
func TestS10Terminated(t *testing.T) {
	t.Parallel()
	clitest.Needs(t, "vim")
	for signal, code := range map[syscall.Signal]int{syscall.SIGTERM: 143, syscall.SIGHUP: 129, syscall.SIGSEGV: 0, syscall.SIGQUIT: 0} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			x := clitest.Start(t, dir, nil)
			x.Await("]> ")
			before := ttytest.Unused(t)
			x.Send("$vim -u NONE a.txt\r")
			x.Await("\x1b[?1049h")
			x.Await("a.txt")
			if err := x.Cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if got := x.Exit(); code != 0 && got != code {
				t.Errorf("exit code %d, want %d", got, code)
			}
			x.IsAsBefore(before)
			if code != 0 {
				x.Await("\x1b[?1049l")
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
	x := clitest.Start(t, dir, nil)
	x.Await("[ken ~]> ")
	x.Send("cd sub\r")
	x.Await("[ken ~/sub]> ")
	x.Send("cd /usr\r")
	x.Await("[ken /usr]> ")
	x.Send("cd -\r")
	x.Await("[ken ~/sub]> ")
	x.Send("cd /nope\r")
	x.Await("ken: error: cd /nope: no such file or directory")
	x.Await("[ken ~/sub]> ")
	x.Send("cd\r")
	x.Await("[ken ~]> ")
	x.Send(":quit\r")
	x.Exit()
}
