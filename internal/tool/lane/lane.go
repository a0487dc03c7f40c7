package lane

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"ken/internal/pty"
	"ken/internal/pty/keep"
	"ken/internal/termsafe"
	"ken/internal/tool/sandbox"
)

// A Command is a line that a model would have run, and how.
type Command struct {
	Line  string
	Shell string        // path of bash, or of a POSIX shell
	Bash  bool          // it is bash
	Dir   string        // absolute
	Env   []string      // as Environ made it
	Limit time.Duration // 0: none
	Keep  int           // bytes of output that are kept
	Live  io.Writer     // gets clean text as it comes; nil: nothing does
	Box   *sandbox.Box  // holds it; nil: nothing does
}

// A Result is how it ended.
type Result struct {
	Exit      int    // exit code; 128+n if signal n ended it
	Bytes     int64  // how much it printed
	Output    string // clean text: the beginning and the end, with a line between them that says how much is missing
	Truncated bool   // something is missing
	TimedOut  bool   // the limit ended it
	Crowded   bool   // it was ended since it had more processes at once than a command may have
}

// What comes between the ways of ending a command: long enough to put things in
// order, short enough to wait for.
const patience = time.Second

// errLimit ends a run at its limit.
var errLimit = errors.New("the time is up")

// Enter is the first thing that a program calls which runs commands in the lane: it starts itself under other names, to hold
// them and to end them. args are its own, with its name. It returns nil where this is no such process, and
// otherwise only what kept it from being one.
func Enter(args []string) error {
	if err := keep.Enter(args); err != nil {
		return err
	}
	return sandbox.Enter(args)
}

// MostProcesses is how many a command may have at once.
const MostProcesses = keep.Most

// Run runs c and returns when it has ended. When ctx ends, or the limit is reached, it
// is interrupted, a second later terminated, and after another second its terminal
// goes and it is killed.
//
// Errors: that it could not be started, and the cause of ctx. A command that fails,
// or that the limit ended, is none.
func Run(ctx context.Context, c Command) (Result, error) {
	if strings.IndexByte(c.Line, 0) >= 0 {
		return Result{}, errors.New("run: a NUL byte cannot be in a command line")
	}
	argv := []string{c.Shell, "-c", c.Line}
	if c.Bash {
		argv = []string{c.Shell, "--noprofile", "--norc", "-c", c.Line}
	}
	run, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	signals, done := make(chan os.Signal), make(chan struct{})
	stopped := make(chan struct{})
	timedOut := false
	go func() {
		defer close(stopped)
		timedOut = end(ctx, c.Limit, signals, done, cancel)
	}()
	live := termsafe.NewWriter(io.Discard)
	if c.Live != nil {
		live = termsafe.NewWriter(c.Live)
	}
	var out io.Writer = io.Discard
	if c.Live != nil {
		out = live
	}
	var kept *keep.Command
	on := pty.Command{Argv: argv, Dir: c.Dir, Env: c.Env, Out: out, Signals: signals, Keep: c.Keep}
	on.Kept = func(k *keep.Command) { kept = k }
	if c.Box != nil {
		on.Prepare = c.Box.Prepare
	}
	r, err := pty.Run(run, on)
	close(done)
	<-stopped
	crowded := false
	if kept != nil {
		if timedOut || err != nil || ctx.Err() != nil {
			kept.End() // also what it left running
		}
		crowded = kept.Crowded()
	}
	if ferr := live.Flush(); err == nil && ferr != nil {
		err = fmt.Errorf("pass on the output: %w", ferr)
	}
	if errors.Is(err, errLimit) {
		err = nil // the result says so
	}
	text, cut := Text(r.Output)
	return Result{Exit: r.Code, Bytes: r.Bytes, Output: text, Truncated: cut, TimedOut: timedOut, Crowded: crowded}, err
}

// end waits for ctx or the limit, and then ends the command by and by. It returns
// whether it was the limit.
func end(ctx context.Context, limit time.Duration, signals chan<- os.Signal, done <-chan struct{}, cancel context.CancelCauseFunc) (timedOut bool) {
	var up <-chan time.Time
	if limit > 0 {
		t := time.NewTimer(limit)
		defer t.Stop()
		up = t.C
	}
	cause := errLimit
	select {
	case <-done:
		return false
	case <-ctx.Done():
		cause = context.Cause(ctx)
	case <-up:
		timedOut = true
	}
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		select {
		case signals <- s:
		case <-done:
			return timedOut
		}
		t := time.NewTimer(patience)
		select {
		case <-t.C:
		case <-done:
			t.Stop()
			return timedOut
		}
	}
	cancel(cause)
	<-done
	return timedOut
}

// Text returns the clean text of what is kept of an output; cut says that some is missing.
// The beginning ends, and the end begins, with a whole line where there are lines.
func Text(c pty.Captured) (text string, cut bool) {
	if c.Left == 0 {
		return termsafe.Clean(string(c.Head) + string(c.Tail)), false
	}
	head, tail := string(c.Head), string(c.Tail)
	if i := strings.LastIndexByte(head, '\n'); i >= 0 {
		head = head[:i+1]
	} else {
		head += "\n"
	}
	if i := strings.IndexByte(tail, '\n'); i >= 0 && i < len(tail)-1 {
		tail = tail[i+1:]
	}
	left := c.Left + int64(len(c.Head)-len(head)+len(c.Tail)-len(tail))
	return termsafe.Clean(head) + fmt.Sprintf("[... %d bytes left out ...]\n", left) + termsafe.Clean(tail), true
}
