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
	mute   bool // it never says where its cursor is

	high, wide int // in cells; 0: 24 and 80
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
	cmd.Env = []string{"HOME=" + dir, "KEN_HOME=" + filepath.Join(dir, "ken"), "PATH=" + os.Getenv("PATH"), "TERM=xterm", raceSettings + "=" + atOnce, indexSetting + "=" + os.Getenv(indexSetting)}
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
	return (&terminal{t: t, cmd: cmd}).start()
}

// startMute is openTerminal on a terminal that answers nothing.
func startMute(t *testing.T, cmd *exec.Cmd) *terminal {
	t.Helper()
	return (&terminal{t: t, cmd: cmd, mute: true}).start()
}

func (x *terminal) start() *terminal {
	t := x.t
	t.Helper()
	if x.wide == 0 {
		x.high, x.wide = 24, 80
	}
	x.screen = vt10x.New(vt10x.WithSize(x.wide, x.high), vt10x.WithWriter(answers{x}))
	x.grown = sync.NewCond(&x.mu)
	var err error
	if x.tty, err = pty.StartWithSize(x.cmd, &pty.Winsize{Rows: uint16(x.high), Cols: uint16(x.wide)}); err != nil {
		t.Fatal(err)
	}
	go x.read()
	t.Cleanup(func() {
		_ = x.cmd.Process.Kill()
		_ = x.tty.Close()
	})
	return x
}

// answers are what the terminal says on its own, where its cursor is above all:
// without that, lines are not edited on it. One that is mute says nothing.
type answers struct{ x *terminal }

func (a answers) Write(p []byte) (int, error) {
	if a.x.mute {
		return len(p), nil
	}
	return a.x.tty.Write(p)
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
		if n := find(x.output.Bytes()[x.seen:], text); n > 0 {
			x.seen += n
			return
		}
		if x.closed {
			x.t.Fatalf("%q was not printed; since the last wait:\n%s\nthe screen:\n%s", text, x.output.Bytes()[x.seen:], x.screen.String())
		}
		x.grown.Wait()
	}
}

// find gives how much of output it takes to have text in it; 0: all is not enough.
// Sequences that only move the cursor and set the terminal up are overlooked, unless
// text has some.
func find(output []byte, text string) int {
	if strings.Contains(text, "\x1b") {
		if i := bytes.Index(output, []byte(text)); i >= 0 {
			return i + len(text)
		}
		return 0
	}
	var plain []byte
	var at []int // where in output each byte of plain ends
	for i := 0; i < len(output); i++ {
		if output[i] == '\x1b' {
			if i+1 < len(output) && output[i+1] == '[' {
				for i += 2; i < len(output) && output[i] < '@'; i++ {
				}
			} else {
				i++
			}
			continue
		}
		if output[i] == '\r' && i+1 < len(output) && output[i+1] == '\r' {
			continue // the editor's line ends are the terminal's as well
		}
		plain, at = append(plain, output[i]), append(at, i+1)
	}
	if i := bytes.Index(plain, []byte(text)); i >= 0 {
		return at[i+len(text)-1]
	}
	return 0
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
