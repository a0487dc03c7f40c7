package mcp

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"ken/internal/pty/inherit"
)

const (
	patience   = 500 * time.Millisecond // between two ways of ending a server
	keptErrors = 8 << 10                // of what it printed on standard error, in bytes
	mostWrite  = 10 * time.Second       // for it to take in what it is sent
)

// A process is a server that was started: what it prints is read through a sieve, and it ends
// with its group.
type process struct {
	cmd           *exec.Cmd
	in, out, errs *os.File // our ends of its standard streams
	sieve         *sieve
	log           *tail
	exited        chan struct{} // it has ended
	done          chan struct{} // so has its group, and it was waited for
	heard         chan struct{} // all of its standard error was read
	how           string        // it ended, in words; after done
	now           func() time.Time
	once          sync.Once
}

// A command is how a server is started.
type command struct {
	argv []string // the program as a path that is absolute
	env  []string
	dir  string
}

// start starts a server.
func start(c command, log *tail, now func() time.Time) (*process, error) {
	p := &process{log: log, now: now, exited: make(chan struct{}), done: make(chan struct{}), heard: make(chan struct{})}
	var theirs []io.Closer
	closeAll := func() {
		for _, f := range theirs {
			_ = f.Close()
		}
	}
	defer closeAll()
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, inR.Close(), inW.Close())
	}
	errR, errW, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, inR.Close(), inW.Close(), outR.Close(), outW.Close())
	}
	theirs = []io.Closer{inR, outW, errW}
	p.in, p.out, p.errs = inW, outR, errR
	p.sieve = newSieve(outR, log.noise, now)
	inherit.Defaults()
	p.cmd = &exec.Cmd{Path: c.argv[0], Args: c.argv, Env: c.env, Dir: c.dir, Stdin: inR, Stdout: outW, Stderr: errW}
	apart(p.cmd)
	started := make(chan error)
	go p.live(started)
	if err := <-started; err != nil {
		_, _, _ = inW.Close(), outR.Close(), errR.Close()
		return nil, fmt.Errorf("start %s: %w", c.argv[0], cause(err))
	}
	go func() { defer close(p.heard); _, _ = io.Copy(log, errR) }()
	return p, nil
}

// cause is an error without the path, which stands before it already.
func cause(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// live starts the process and waits for it, in one thread: where the system can, it ends
// with the thread that started it.
func (p *process) live(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	defer close(p.done)
	state := awaitExit(p.cmd) // without taking its number away: the group has the same
	close(p.exited)
	kill(p.cmd)
	err = p.cmd.Wait()
	awaitGroup(p.cmd)
	if state == nil {
		if state = p.cmd.ProcessState; state == nil {
			p.how = err.Error()
		}
	}
	if state != nil {
		p.how = state.String()
	}
	p.hear()
	_ = p.out.Close()
	_ = p.errs.Close()
	_ = p.in.Close()
}

// hear waits for what a server that has ended printed last on its standard error: it says why. What is left of it, in a
// session of its own, may have that open for ever.
func (p *process) hear() {
	t := time.NewTimer(patience / 5)
	defer t.Stop()
	select {
	case <-p.heard:
	case <-t.C:
	}
}

// Read gives what the server says.
func (p *process) Read(b []byte) (int, error) { return p.sieve.Read(b) }

// Write sends it something. It has ten seconds to take that in: one that reads nothing would hold the
// caller for ever.
func (p *process) Write(b []byte) (int, error) {
	_ = p.in.SetWriteDeadline(p.now().Add(mostWrite))
	n, err := p.in.Write(b)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = errors.New("it does not take in what it is sent")
		go p.end()
	}
	return n, err
}

// Close ends the server in the background.
func (p *process) Close() error {
	go p.end()
	return nil
}

// end ends the server and what it started, and returns when they are gone: its input is closed, half
// a second later it is terminated, and after another one killed.
func (p *process) end() {
	p.once.Do(func() {
		_ = p.in.Close()
		for _, stop := range []func(*exec.Cmd){terminate, kill} {
			t := time.NewTimer(patience)
			select {
			case <-p.exited:
			case <-t.C:
				stop(p.cmd)
			}
			t.Stop()
		}
	})
	<-p.done
}

// A tail keeps the end of what a server printed that is no message.
type tail struct {
	mu    sync.Mutex
	kept  []byte
	lines int // of noise
}

// Write keeps the end of what it is given.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b...)
	if n := len(t.kept) - keptErrors; n > 0 {
		t.kept = append(t.kept[:0], t.kept[n:]...)
	}
	return len(b), nil
}

// noise keeps the beginning of a line of standard output that is no message.
func (t *tail) noise(line []byte) {
	t.mu.Lock()
	t.lines++
	t.mu.Unlock()
	_, _ = t.Write(append(append([]byte("(stdout) "), line...), '\n'))
}

// text returns what is kept, and how many lines were noise.
func (t *tail) text() (string, int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept), t.lines
}

// why returns why a server is lost: what its stream was given up for, or how it ended; nil if
// it lives.
func (p *process) why() error {
	if err := p.sieve.given(); err != nil {
		return err
	}
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-p.done:
		return fmt.Errorf("it ended (%s)", p.how)
	case <-t.C:
		return nil
	}
}
