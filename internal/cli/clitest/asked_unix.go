//go:build unix

package clitest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/term"

	"ken/internal/proctest"
	"ken/internal/pty/pair"
	"ken/internal/ttytest"
)

// runsAsked runs a program on a terminal of its own and types for the person there: each
// byte that its own terminal brings, the last of a line together with its end, once the
// program asks, since what is typed before a question answers nothing. A question is what stands at the end of a line that is not
// ended, with nothing after it for a while. What the terminal of the program shows goes
// to the own terminal; standard output and error are handed on as they are, and so is
// standard input unless it is the own terminal.
func runsAsked(o proctest.Outside) (code int) {
	code, err := runAsked(o, os.Args[1:])
	if err != nil {
		fmt.Fprintln(o.Err, "asked:", err)
		return 2
	}
	return code
}

// settled is for how long nothing must come for a question to stand there.
const settled = 40 * time.Millisecond

func runAsked(o proctest.Outside, args []string) (int, error) {
	own, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	if _, err := term.MakeRaw(int(own.Fd())); err != nil {
		return 0, err
	}
	theirs, tty, err := pair.Open()
	if err != nil {
		return 0, err
	}
	cmd := proctest.Lent(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = o.In, o.Out, o.Err
	if term.IsTerminal(0) {
		cmd.Stdin = tty
	}
	cmd.ExtraFiles = []*os.File{tty}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
	cmd.WaitDelay = time.Second // whoever still holds a pipe of it holds up nobody
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	_ = tty.Close()
	s := &watched{out: own}
	defer time.AfterFunc(ttytest.Patience, func() { // nobody types any more
		fmt.Fprintf(o.Err, "asked: ended after %v; %v\n", ttytest.Patience, s)
		_ = cmd.Process.Kill()
	}).Stop()
	go func() { _, _ = io.Copy(s, theirs) }()
	go func() {
		keys := bufio.NewReader(own)
		for {
			b, err := keys.ReadByte()
			if err != nil {
				return
			}
			typed := []byte{b}
			if next, err := keys.Peek(1); err == nil && b != '\n' && next[0] == '\n' {
				typed = append(typed, '\n')
				_, _ = keys.ReadByte()
			}
			s.await()
			s.typing()
			if _, err := theirs.Write(typed); err != nil {
				return
			}
		}
	}()
	err = cmd.Wait()
	time.Sleep(settled) // what it printed last is on its way
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}

// watched is what the terminal of the program shows.
type watched struct {
	out  io.Writer
	mu   sync.Mutex
	last byte // of what came
	came time.Time
	sent time.Time // when a key was sent last
}

// String says what it waited for when it was ended.
func (s *watched) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprintf("the last byte on its terminal is %q, since %v; the last key was sent at %v", s.last, s.came, s.sent)
}

func (s *watched) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p = bytes.TrimRight(p, "\x00"); len(p) > 0 {
		s.last, s.came = p[len(p)-1], time.Now()
	}
	return s.out.Write(p)
}

// unheard is how long after a key something comes, unless it changes nothing.
const unheard = 3 * time.Second

// await waits until a question stands there, one that came after the last key was sent.
func (s *watched) await() {
	for {
		s.mu.Lock()
		ready := s.last != 0 && s.last != '\n' && s.last != '\r' && time.Since(s.came) > settled ||
			s.last == 0 && !s.sent.IsZero() && time.Since(s.sent) > unheard
		s.mu.Unlock()
		if ready {
			return
		}
		time.Sleep(settled / 4)
	}
}

// typing says that a key is sent: whatever it is answered with comes before the next.
func (s *watched) typing() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last, s.sent = 0, time.Now()
}
