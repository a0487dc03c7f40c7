//go:build unix

package cli_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"

	"ken/internal/llm/llmtest"
)

// patience is how long a terminal test waits for what must come: far more than
// a loaded machine needs.
const patience = 30 * time.Second

// A terminal is a real ken on a real pseudo-terminal.
type terminal struct {
	t      *testing.T
	cmd    *exec.Cmd
	tty    *os.File
	screen vt10x.Terminal

	mu     sync.Mutex
	grown  *sync.Cond
	output bytes.Buffer // all that was printed, as it came
	seen   int          // how much of output was waited for
	closed bool
}

// kenCommand is ken as a process of its own, with its files below dir.
func kenCommand(t *testing.T, dir string, model *llmtest.Server, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, args...)
	cmd.Args[0] = "ken"
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + dir, "KEN_HOME=" + filepath.Join(dir, "ken"), "PATH=" + os.Getenv("PATH"), "TERM=xterm"}
	if model != nil {
		cmd.Env = append(cmd.Env, "OPENAI_BASE_URL="+model.URL, "KEN_MODEL=test")
	}
	return cmd
}

// startTerminal runs ken on a terminal of 80 by 24 cells.
func startTerminal(t *testing.T, dir string, model *llmtest.Server, args ...string) *terminal {
	t.Helper()
	return openTerminal(t, kenCommand(t, dir, model, args...))
}

// startTerminalEnv is startTerminal without a model and with more variables.
func startTerminalEnv(t *testing.T, dir string, env []string) *terminal {
	t.Helper()
	cmd := kenCommand(t, dir, nil)
	cmd.Env = append(cmd.Env, env...)
	return openTerminal(t, cmd)
}

// openTerminal runs a program there.
func openTerminal(t *testing.T, cmd *exec.Cmd) *terminal {
	t.Helper()
	term := &terminal{t: t, cmd: cmd, screen: vt10x.New(vt10x.WithSize(80, 24))}
	term.grown = sync.NewCond(&term.mu)
	var err error
	if term.tty, err = pty.StartWithSize(term.cmd, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	go term.read()
	t.Cleanup(func() {
		_ = term.cmd.Process.Kill()
		_ = term.tty.Close()
	})
	return term
}

func (x *terminal) read() {
	buf := make([]byte, 4096)
	for {
		n, err := x.tty.Read(buf)
		x.mu.Lock()
		x.output.Write(buf[:n])
		_, _ = x.screen.Write(buf[:n])
		x.closed = err != nil
		x.grown.Broadcast()
		x.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// text is all that was printed so far.
func (x *terminal) text() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.output.String()
}

// send types keys.
func (x *terminal) send(keys string) {
	x.t.Helper()
	if _, err := x.tty.WriteString(keys); err != nil {
		x.t.Fatalf("type %q: %v", keys, err)
	}
}

// await waits until text was printed since the last await.
func (x *terminal) await(text string) {
	x.t.Helper()
	timeout := time.AfterFunc(patience, func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.closed = true
		x.grown.Broadcast()
	})
	defer timeout.Stop()
	x.mu.Lock()
	defer x.mu.Unlock()
	for {
		if i := bytes.Index(x.output.Bytes()[x.seen:], []byte(text)); i >= 0 {
			x.seen += i + len(text)
			return
		}
		if x.closed {
			x.t.Fatalf("%q was not printed; since the last wait:\n%s\nthe screen:\n%s", text, x.output.Bytes()[x.seen:], x.screen.String())
		}
		x.grown.Wait()
	}
}

// exit waits for the end of the process and gives its exit code, 128 and more
// for a signal.
func (x *terminal) exit() int {
	x.t.Helper()
	timeout := time.AfterFunc(patience, func() { _ = x.cmd.Process.Kill() })
	defer timeout.Stop()
	return exitCode(x.t, x.cmd.Wait())
}

func exitCode(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	if err == nil {
		return 0
	}
	if !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return exit.ExitCode()
}

// sessionText is all session files below dir, one after the other.
func sessionText(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "ken", "sessions", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(text)
	}
	return b.String()
}
