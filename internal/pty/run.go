//go:build linux || darwin

package pty

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"ken/internal/pty/filter"
)

const (
	// grace is how long a command that was hung up has to end by itself.
	grace = 2 * time.Second
	// again is how long a command that stopped itself is left so: one that does nothing
	// else must not keep a processor busy.
	again = 50 * time.Millisecond
	// silence is how long after the command's end the terminal has to be quiet
	// if a process in the background still holds it: what the command wrote is
	// there by then.
	silence = 100 * time.Millisecond
	// drawn is how long a command may draw on a whole screen where nobody types: what
	// only shows a recording is over by then, and an editor would wait for ever.
	drawn = 2 * time.Second
	// drain is the most bytes that are read after the command's end; no system
	// holds as many for a terminal.
	drain = 1 << 20
)

// Run runs c and returns when it has ended and its output is out. When ctx ends
// the command is hung up, as if the terminal were gone, and killed if that does
// not end it.
//
// Errors: that the command could not be started, that of c.Out, and the cause of ctx.
// A command that fails is none; if it was started the Result is what there is.
func Run(ctx context.Context, c Command) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, context.Cause(ctx)
	}
	t, err := openTerminal(c.In, c.Out)
	if err != nil {
		return Result{}, fmt.Errorf("open a terminal for %s: %w", c.Argv[0], err)
	}
	defer t.close()
	w, err := newWaker()
	if err != nil {
		return Result{}, fmt.Errorf("wait for %s: %w", c.Argv[0], err)
	}
	defer w.close()
	p, err := t.start(c)
	if err != nil {
		return Result{}, err
	}
	r := &run{t: t, w: w, process: p, out: c.Out, kept: newCapture(c.Keep)}
	if t.shown {
		r.live = &filter.Filter{}
	}
	r.watch(ctx, c.Signals)
	if t.own != nil && t.shown {
		defer time.AfterFunc(guardAfter, func() { w.do(r.setGuard) }).Stop()
	}
	err = errors.Join(r.loop(), r.restoreModes())
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return Result{Code: exitCode(r.status), Bytes: r.bytes, Output: r.kept.captured()}, err
}

// exitCode is what a shell makes of how a process ended.
func exitCode(status unix.WaitStatus) int {
	if status.Signaled() {
		return 128 + int(status.Signal())
	}
	return status.ExitStatus()
}

// A run is one command that was started. All but the goroutines that watch
// touches it from one goroutine, that of loop.
type run struct {
	t       *terminal
	w       *waker
	process process
	out     interface{ Write([]byte) (int, error) }

	exited bool // the command, not all of its children
	status unix.WaitStatus
	after  int    // bytes that were read since
	keys   []byte // typed, and not taken by the terminal yet
	bytes  int64
	kept   *capture
	live   *filter.Filter // of what a person sees; nil if none does
	modes  modes
	err    error // of out, the first
	kill   *time.Timer
	// drawing hangs the command up; nil if it does not draw on a whole screen alone.
	drawing *time.Timer
}

// watch wakes the loop for what does not come through a file, until the waker
// is closed.
func (r *run) watch(ctx context.Context, signals <-chan os.Signal) {
	go func() {
		status := r.process.await()
		r.w.do(func() { r.exited, r.status = true, status })
	}()
	resized := make(chan os.Signal, 1)
	if r.t.own != nil {
		signal.Notify(resized, unix.SIGWINCH)
	}
	go func() {
		defer signal.Stop(resized)
		ended := ctx.Done()
		for {
			select {
			case <-ended:
				ended = nil
				r.w.do(r.hangUp)
			case <-resized:
				r.w.do(func() { r.t.resize(int(r.t.own.Fd())) })
			case s := <-signals:
				if s, ok := s.(syscall.Signal); ok {
					r.w.do(func() { r.signal(s) })
				}
			case <-r.w.done:
				return
			}
		}
	}()
}

// signal sends s to the command's processes in the foreground.
func (r *run) signal(s syscall.Signal) {
	if r.exited {
		return
	}
	group, err := unix.IoctlGetInt(r.t.fd, unix.TIOCGPGRP)
	if err != nil || group <= 0 {
		r.process.send(s)
		return
	}
	_ = unix.Kill(-group, s) // it may have ended just now
}

// hangUp lets the command know that its terminal is gone.
func (r *run) hangUp() {
	if r.kill != nil {
		return
	}
	r.signal(unix.SIGHUP)
	if !r.exited {
		r.process.send(unix.SIGHUP)
		r.process.send(unix.SIGCONT) // a stopped one cannot end
	}
	r.kill = time.AfterFunc(grace, func() {
		r.w.do(func() {
			r.signal(unix.SIGKILL)
			if !r.exited {
				r.process.send(unix.SIGKILL)
			}
		})
	})
}

// loop passes keys and output on until the command has ended and its output is
// out.
func (r *run) loop() error {
	defer func() {
		if r.kill != nil {
			r.kill.Stop()
		}
		if r.drawing != nil {
			r.drawing.Stop()
		}
	}()
	buf := make([]byte, 64<<10)
	for !r.exited || r.t.fd >= 0 && r.after < drain {
		ready, err := r.wait()
		if err != nil {
			return r.abandon(err)
		}
		r.w.run(ready.woken)
		if ready.output {
			r.readOutput(buf)
		}
		if ready.keys {
			r.readKeys(buf)
		}
		if ready.room {
			r.writeKeys()
		}
		if ready.quiet {
			break
		}
	}
	return r.err
}

// abandon ends the command when it cannot be waited for in the usual way.
func (r *run) abandon(err error) error {
	r.signal(unix.SIGKILL)
	r.process.send(unix.SIGKILL)
	for !r.exited {
		(<-r.w.work)()
	}
	return err
}

// readOutput passes on what the command printed. The end of a terminal is an
// error on some systems and nothing on others.
func (r *run) readOutput(buf []byte) {
	n, err := unix.Read(r.t.fd, buf)
	switch {
	case errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR):
		return
	case err != nil || n <= 0:
		r.t.hungUp()
		return
	}
	if r.exited {
		r.after += n
	}
	r.bytes += int64(n)
	if r.live == nil {
		r.show(buf[:n])
		return
	}
	r.show(r.live.Next(buf[:n]))
}

// setGuard has another process look after the terminal, should this one be killed.
func (r *run) setGuard() {
	if r.exited || r.t.guard != nil {
		return
	}
	if r.t.guard = newGuard(r.t.own, r.t.found); r.t.guard != nil {
		r.t.guard.tell(r.modes.whatever())
	}
}

// show passes output on and notes what it does to the terminal.
func (r *run) show(p []byte) {
	if len(p) == 0 {
		return
	}
	r.modes.feed(p, r.kept.write)
	r.watchScreen()
	if r.t.guard != nil {
		r.t.guard.tell(r.modes.whatever())
	}
	if r.err != nil {
		return
	}
	if _, err := r.out.Write(p); err != nil {
		r.err = fmt.Errorf("pass on the output: %w", err)
		r.hangUp()
	}
}

// watchScreen ends a command that draws on a whole screen, as an editor does, where
// nobody can ever press a key.
func (r *run) watchScreen() {
	if r.t.own != nil {
		return
	}
	switch on := r.modes.alternate(); {
	case on && r.drawing == nil:
		r.drawing = time.AfterFunc(drawn, func() { r.w.do(r.hangUp) })
	case !on && r.drawing != nil:
		r.drawing.Stop()
		r.drawing = nil
	}
}

// readKeys takes what was typed.
func (r *run) readKeys(buf []byte) {
	n, err := unix.Read(r.t.ownFD, buf)
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR) {
		return
	}
	if err != nil || n <= 0 {
		// The person's terminal is gone. Its hang-up may be ignored here, as under
		// nohup; the command's terminal is another one, and would be waited at for ever.
		r.t.ownFD = -1
		r.hangUp()
		return
	}
	r.keys = append(r.keys, buf[:n]...)
	r.writeKeys()
}

// writeKeys gives the command what was typed, as far as its terminal takes it.
func (r *run) writeKeys() {
	if r.t.fd < 0 {
		r.keys = nil
		return
	}
	n, err := unix.Write(r.t.fd, r.keys)
	switch {
	case errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR):
	case err != nil:
		r.keys = nil // the command is gone, which reading will show
	default:
		r.keys = append(r.keys[:0], r.keys[n:]...)
	}
}

// restoreModes switches off what the command left switched on, if a person looks
// at it.
func (r *run) restoreModes() error {
	if r.live != nil {
		r.show(r.live.Flush())
	}
	undo := r.modes.undo()
	if undo == "" || r.err != nil || !r.t.shown {
		return nil
	}
	if _, err := r.out.Write([]byte(undo)); err != nil {
		return fmt.Errorf("put the terminal right: %w", err)
	}
	return nil
}
