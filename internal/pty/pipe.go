//go:build linux || darwin

package pty

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// Pipe runs c without a terminal of its own: what it prints goes to c.Out and c.Err,
// or in its order to c.Out alone, byte for byte, and c.In is its standard input as it is; nil: there is none. If c.In
// is a terminal the command has it, in the foreground; with c.Keep 0 it then gets files
// themselves, and Result.Bytes is not known. Else it is in no terminal's session, so that
// it can wait for nobody, and is ended if it draws on a whole screen all the same.
//
// Errors are those of Run, but for c.Err, which is not checked.
func Pipe(ctx context.Context, c Command) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, context.Cause(ctx)
	}
	p := &piped{kept: newCapture(c.Keep), alone: c.In == nil || !term.IsTerminal(int(c.In.Fd()))}
	cmd := exec.Command(c.Argv[0], c.Argv[1:]...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	if c.In != nil {
		cmd.Stdin = c.In
	}
	out, err := p.to(c.Out, c.Keep, p.failed)
	errs := out
	if err == nil && c.Err != nil {
		errs, err = p.to(c.Err, c.Keep, func(error) {})
	}
	cmd.Stdout, cmd.Stderr = out, errs
	defer p.close()
	if err != nil {
		return Result{}, fmt.Errorf("make a pipe for %s: %w", c.Argv[0], err)
	}
	back := p.place(cmd, c.In)
	defer back()
	if err := cmd.Start(); err != nil {
		return Result{}, fmt.Errorf("run %s: %w", c.Argv[0], err)
	}
	p.group = cmd.Process.Pid
	p.copy()
	status := p.await(ctx, c.Signals)
	err = p.finish()
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return Result{Code: exitCode(status), Bytes: p.kept.total, Output: p.kept.captured()}, err
}

// A piped is one command that runs so.
type piped struct {
	group int  // its process group
	alone bool // nobody types

	mu      sync.Mutex
	modes   modes
	drawing *time.Timer // ends it; nil if it does not draw on a whole screen
	kept    *capture
	err     error // of the output, the first
	over    bool  // the command has ended
	flows   []*flow
	ours    []*os.File // ends of pipes that the command has
	copying sync.WaitGroup
}

// A flow is what comes through one pipe.
type flow struct {
	from  *os.File
	to    io.Writer
	fail  func(error)
	quiet quiet
}

// to is what the command gets as an output that goes to w.
func (p *piped) to(w io.Writer, keep int, fail func(error)) (*os.File, error) {
	if f, ok := w.(*os.File); ok && keep == 0 && !p.alone {
		return f, nil
	}
	r, own, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.flows, p.ours = append(p.flows, &flow{from: r, to: w, fail: fail}), append(p.ours, own)
	return own, nil
}

func (p *piped) close() {
	for _, f := range p.flows {
		_ = f.from.Close()
	}
	p.closeOurs()
}

func (p *piped) closeOurs() {
	for _, f := range p.ours {
		_ = f.Close()
	}
	p.ours = nil
}

// failed notes that the output has no reader, and ends the command.
func (p *piped) failed(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = fmt.Errorf("pass on the output: %w", err)
		_ = unix.Kill(-p.group, unix.SIGHUP)
	}
}

// place says in which session and group the command runs. back gives the terminal
// back, if it was lent.
func (p *piped) place(cmd *exec.Cmd, in *os.File) (back func()) {
	if in == nil || !term.IsTerminal(int(in.Fd())) {
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		return func() {}
	}
	tty, own := int(in.Fd()), unix.Getpgrp()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	state, err := term.GetState(tty)
	if front, ferr := unix.IoctlGetInt(tty, unix.TIOCGPGRP); ferr != nil || err != nil || front != own {
		return func() {} // ken itself is in the background, or it is another terminal
	}
	cmd.SysProcAttr.Foreground, cmd.SysProcAttr.Ctty = true, tty
	return func() {
		signal.Ignore(unix.SIGTTOU) // it would stop us before the terminal is ours
		_ = unix.IoctlSetPointerInt(tty, unix.TIOCSPGRP, own)
		_ = term.Restore(tty, state)
		signal.Reset(unix.SIGTTOU)
	}
}

// copy passes on what comes through the pipes.
func (p *piped) copy() {
	p.closeOurs()
	for _, f := range p.flows {
		p.copying.Add(1)
		go func() {
			defer p.copying.Done()
			p.pass(f)
		}()
	}
}

// pass passes on one flow until it ends, or until nothing more comes after the end of
// the command: a process in the background may still have the pipe.
func (p *piped) pass(f *flow) {
	buf := make([]byte, 64<<10)
	after := 0
	for {
		n, err := f.from.Read(buf)
		ended := f.quiet.hold()
		if n > 0 {
			p.mu.Lock()
			p.kept.write(buf[:n])
			p.watch(buf[:n])
			broken := p.err != nil
			p.mu.Unlock()
			if !broken {
				if _, werr := f.to.Write(buf[:n]); werr != nil {
					f.fail(werr)
				}
			}
		}
		if ended {
			after += n
		}
		if err != nil && !(errors.Is(err, os.ErrDeadlineExceeded) && readable(f.from)) || after > drain {
			return
		}
		f.quiet.begin(f.from)
	}
}

// readable reports whether there is something in a pipe: on a busy machine the time may
// be over before it was read.
func readable(pipe *os.File) bool {
	conn, err := pipe.SyscallConn()
	if err != nil {
		return false
	}
	n := 0
	err = conn.Control(func(fd uintptr) {
		n, _ = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
	})
	return err == nil && n > 0
}

// A quiet ends the reading of a pipe once the command has ended and nothing came for a
// while. What takes its time is not counted, only what is waited for.
type quiet struct {
	mu    sync.Mutex
	timer *time.Timer // nil until the command has ended
}

// end says that the command has ended.
func (q *quiet) end(from *os.File) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.timer = time.AfterFunc(silence, func() { _ = from.SetReadDeadline(time.Unix(1, 0)) })
}

// hold says that nothing is waited for. ended says that the command has.
func (q *quiet) hold() (ended bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.timer == nil {
		return false
	}
	q.timer.Stop()
	return true
}

// begin says that it is waited again.
func (q *quiet) begin(from *os.File) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.timer != nil {
		_ = from.SetReadDeadline(time.Time{}) // it may have passed meanwhile
		q.timer.Reset(silence)
	}
}

// watch looks for a command that begins to draw on a whole screen, as an editor does,
// where nobody can ever press a key.
func (p *piped) watch(b []byte) {
	if !p.alone {
		return
	}
	p.modes.feed(b, func([]byte) {})
	switch on := p.modes.alternate(); {
	case on && p.drawing == nil:
		p.drawing = time.AfterFunc(drawn, func() { p.end(unix.SIGHUP) })
	case !on && p.drawing != nil:
		p.drawing.Stop()
		p.drawing = nil
	}
}

// end sends a signal to the command, unless it has ended.
func (p *piped) end(s unix.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over {
		_ = unix.Kill(-p.group, s)
	}
}

// await waits for the command, passes signals on, and ends it when ctx ends.
func (p *piped) await(ctx context.Context, signals <-chan os.Signal) unix.WaitStatus {
	over := make(chan unix.WaitStatus, 1)
	go func() { over <- awaitEnd(p.group) }()
	ended := ctx.Done()
	var kill <-chan time.Time
	for {
		select {
		case status := <-over:
			return status
		case <-ended:
			ended = nil
			_ = unix.Kill(-p.group, unix.SIGHUP)
			_ = unix.Kill(-p.group, unix.SIGCONT)
			kill = time.After(grace)
		case <-kill:
			_ = unix.Kill(-p.group, unix.SIGKILL)
		case s := <-signals:
			if s, ok := s.(syscall.Signal); ok {
				_ = unix.Kill(-p.group, s)
			}
		}
	}
}

// finish waits for what is on its way.
func (p *piped) finish() error {
	for _, f := range p.flows {
		f.quiet.end(f.from)
	}
	p.copying.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	if p.drawing != nil {
		p.drawing.Stop()
	}
	if errors.Is(p.err, os.ErrClosed) {
		return nil
	}
	return p.err
}
