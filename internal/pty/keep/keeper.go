//go:build linux || darwin

package keep

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// again is how long a command that stopped itself is left so.
	again = 50 * time.Millisecond
	// polite is how long what a command left running has to end by itself.
	polite = 200 * time.Millisecond
	// stubborn is how long is tried to kill what does not go.
	stubborn = 3 * time.Second
	// counting is how often processes are counted.
	counting = 250 * time.Millisecond
)

// Enter is the first thing that a program calls which starts commands that are kept: args are its
// own, with its name. It returns nil where this is no keeper, and otherwise only the error that kept it from being one.
func Enter(args []string) error {
	if len(args) != 1 || args[0] != name {
		return nil
	}
	runtime.LockOSThread() // the command is killed with the thread that started it
	unix.CloseOnExec(stream)
	k := keeper{line: os.NewFile(stream, name)}
	dec := json.NewDecoder(k.line)
	if err := dec.Decode(&k.order); err != nil {
		return errors.New("keeper: nothing was ordered")
	}
	unix.Exit(k.keep(dec))
	return nil
}

// A keeper keeps one command.
type keeper struct {
	order
	line *os.File
	pid  int // of the command, and of its group

	mu      sync.Mutex
	over    bool // the command has ended
	crowded bool
}

// keep starts the command and returns when nothing is left of it.
func (k *keeper) keep(dec *json.Decoder) (code int) {
	adopt()
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGUSR1, unix.SIGUSR2, unix.SIGALRM, unix.SIGCONT)
	attr := k.Attr
	if attr == nil {
		attr = &syscall.SysProcAttr{}
	}
	together(attr)
	pid, err := syscall.ForkExec(k.Path, k.Args, &syscall.ProcAttr{Env: k.Env, Files: []uintptr{0, 1, 2}, Sys: attr})
	if err != nil {
		n := news{Errno: unix.EIO}
		errors.As(err, &n.Errno)
		k.say(n)
		return 1
	}
	k.pid = pid
	k.say(news{Pid: pid})
	k.release()
	go func() {
		for s := range signals {
			if s, ok := s.(syscall.Signal); ok {
				k.pass(s)
			}
		}
	}()
	go func() {
		_, _ = io.Copy(io.Discard, io.MultiReader(dec.Buffered(), k.line))
		k.end()
	}()
	go k.count()
	k.wait()
	return 0
}

// say tells who started this.
func (k *keeper) say(n news) {
	text, err := json.Marshal(n)
	if err == nil {
		_, _ = k.line.Write(append(text, '\n')) // if nobody hears it, all ends soon
	}
}

// release gives up the files of the command, for it has to be seen when nobody has them any more, and its directory.
func (k *keeper) release() {
	_ = unix.Chdir("/")
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return
	}
	for fd := range 3 {
		_ = dup(int(null.Fd()), fd)
	}
	_ = null.Close()
}

// pass passes a signal on, unless the command has ended.
func (k *keeper) pass(s syscall.Signal) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.over {
		_ = unix.Kill(-k.pid, s)
	}
}

// wait waits for the command, and for everything that it left.
func (k *keeper) wait() {
	for {
		var status unix.WaitStatus
		pid, err := unix.Wait4(-1, &status, unix.WUNTRACED, nil)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			if !k.others() {
				return
			}
			time.Sleep(counting)
		case pid != k.pid:
		case status.Stopped(): // there is nobody who could continue it later
			time.Sleep(again)
			_ = unix.Kill(pid, unix.SIGCONT)
		default:
			k.mu.Lock()
			k.over = true
			n := news{Status: status, Crowded: k.crowded}
			k.mu.Unlock()
			k.say(n)
		}
	}
}

// end ends everything, and after some time this process, whatever is left.
func (k *keeper) end() {
	k.mu.Lock()
	over := k.over
	k.mu.Unlock()
	if over { // who is still here was never told to end
		k.each(unix.SIGTERM)
		time.Sleep(polite)
	}
	time.AfterFunc(stubborn, func() { unix.Exit(1) })
	for ; ; time.Sleep(5 * time.Millisecond) {
		k.slay()
	}
}

// slay kills everything that there is now. What is stopped first cannot start others meanwhile.
func (k *keeper) slay() {
	const rounds = 20
	known := make(map[int]bool)
	for range rounds {
		found := false
		for _, pid := range k.all() {
			if !known[pid] {
				known[pid], found = true, true
				_ = unix.Kill(pid, unix.SIGSTOP)
			}
		}
		if !found {
			break
		}
	}
	k.each(unix.SIGKILL)
}

// each sends a signal to everything that there is, who started it before those that it started.
func (k *keeper) each(s syscall.Signal) {
	k.group(s)
	for _, pid := range k.all() {
		_ = unix.Kill(pid, s)
	}
}

// group sends a signal to the command's process group, as long as its number cannot be that of another. On a system that does
// not say whose child a process is, that is all that can be reached.
func (k *keeper) group(s syscall.Signal) {
	k.mu.Lock()
	over := k.over
	k.mu.Unlock()
	if groups || !over {
		_ = unix.Kill(-k.pid, s)
	}
}

// count ends everything when there is too much of it.
func (k *keeper) count() {
	for range time.Tick(counting) {
		if len(k.all()) > k.Most {
			k.mu.Lock()
			k.crowded = true
			k.mu.Unlock()
			k.slay()
			k.end()
		}
	}
}
