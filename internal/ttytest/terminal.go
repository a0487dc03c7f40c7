//go:build unix

package ttytest

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hinshun/vt10x"

	"ken/internal/pty/pair"
)

// A Terminal is a program on a pseudo-terminal.
type Terminal struct {
	t      *testing.T
	Cmd    *exec.Cmd
	TTY    *os.File // the side of whoever sits there
	screen vt10x.Terminal

	mu     sync.Mutex
	grown  *sync.Cond
	output bytes.Buffer // all that was printed, as it came
	seen   int          // how much of output was waited for
	closed bool
	mute   bool // it never says where its cursor is

	high, wide int // in cells
}

// Open runs a program on a terminal of 80 by 24 cells.
func Open(t *testing.T, cmd *exec.Cmd) *Terminal {
	t.Helper()
	return (&Terminal{t: t, Cmd: cmd, high: 24, wide: 80}).start()
}

// OpenSized runs it on a terminal of another size.
func OpenSized(t *testing.T, cmd *exec.Cmd, rows, cols int) *Terminal {
	t.Helper()
	return (&Terminal{t: t, Cmd: cmd, high: rows, wide: cols}).start()
}

// OpenMute is Open on a terminal that answers nothing.
func OpenMute(t *testing.T, cmd *exec.Cmd) *Terminal {
	t.Helper()
	return (&Terminal{t: t, Cmd: cmd, mute: true, high: 24, wide: 80}).start()
}

func (x *Terminal) start() *Terminal {
	t := x.t
	t.Helper()
	x.screen = vt10x.New(vt10x.WithSize(x.wide, x.high), vt10x.WithWriter(answers{x}))
	x.grown = sync.NewCond(&x.mu)
	var err error
	if x.TTY, err = pair.Start(x.Cmd, x.high, x.wide); err != nil {
		t.Fatal(err)
	}
	go x.read()
	t.Cleanup(func() {
		_ = x.Cmd.Process.Kill()
		_ = x.TTY.Close()
	})
	return x
}

// answers are what the terminal says on its own, where its cursor is above all:
// without that, lines are not edited on it. One that is mute says nothing.
type answers struct{ x *Terminal }

func (a answers) Write(p []byte) (int, error) {
	if a.x.mute {
		return len(p), nil
	}
	return a.x.TTY.Write(p)
}

func (x *Terminal) read() {
	buf := make([]byte, 4096)
	for {
		n, err := x.TTY.Read(buf)
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

// Text returns all that was printed so far, without its colours and styles.
func (x *Terminal) Text() string {
	return regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(x.Raw(), "")
}

// Raw returns all that was printed so far, as it came.
func (x *Terminal) Raw() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.output.String()
}

// Send types keys.
func (x *Terminal) Send(keys string) {
	x.t.Helper()
	if _, err := x.TTY.WriteString(keys); err != nil {
		x.t.Fatalf("type %q: %v", keys, err)
	}
}

// Await waits until text was printed since the last Await, and returns all that was
// printed since then, up to the end of text.
func (x *Terminal) Await(text string) string {
	x.t.Helper()
	timeout := time.AfterFunc(Patience, func() {
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
			passed := string(x.output.Bytes()[x.seen : x.seen+n])
			x.seen += n
			return passed
		}
		if x.closed {
			x.t.Fatalf("%q was not printed; since the last wait:\n%s\nthe screen:\n%s", text, x.output.Bytes()[x.seen:], x.screen.String())
		}
		x.grown.Wait()
	}
}

// find gives how much of output it takes to have text in it; 0: all is not enough.
// Sequences that only move the cursor and set the terminal up are overlooked, unless
// Text has some; and a line of ken's own may be wrapped where text has a blank.
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
	if !bytes.Contains(plain, []byte(wrapped)) || !strings.Contains(text, " ") {
		return 0 // it is asked at each print: what draws much must not wait for its terminal
	}
	plain, at = unwrapped(plain, at)
	if i := bytes.Index(plain, []byte(text)); i >= 0 {
		return at[i+len(text)-1]
	}
	return 0
}

// wrapped is where a line of ken's own goes on in the next row.
const wrapped = "\r\n  "

// unwrapped is what was printed with a blank in the place of each line end that
// indentation follows; at goes along.
func unwrapped(plain []byte, at []int) (joined []byte, ends []int) {
	for i := 0; i < len(plain); i++ {
		if n := bytes.IndexFunc(plain[i:], func(r rune) bool { return r != '\r' && r != '\n' && r != ' ' }); n > 3 &&
			bytes.HasPrefix(plain[i:], []byte(wrapped)) {
			joined, ends = append(joined, ' '), append(ends, at[i+n-1])
			i += n - 1
			continue
		}
		joined, ends = append(joined, plain[i]), append(ends, at[i])
	}
	return joined, ends
}

// Exit waits for the end of the process and gives its exit code, 128 and more
// for a signal.
func (x *Terminal) Exit() int {
	x.t.Helper()
	timeout := time.AfterFunc(Patience, func() { _ = x.Cmd.Process.Kill() })
	defer timeout.Stop()
	err := x.Cmd.Wait()
	x.drain()
	return ExitCode(x.t, err)
}

// drain waits until all that was printed is read, and no longer than a second: what the program left running may hold the
// terminal open.
func (x *Terminal) drain() {
	late := false
	timer := time.AfterFunc(time.Second, func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		late = true
		x.grown.Broadcast()
	})
	defer timer.Stop()
	x.mu.Lock()
	defer x.mu.Unlock()
	for !x.closed && !late {
		x.grown.Wait()
	}
}

// ExitCode returns the exit code of a process that was waited for, 128 and more for a signal.
func ExitCode(t *testing.T, err error) int {
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
