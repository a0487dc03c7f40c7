package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// mayKeepAside says why changes cannot be kept aside on this machine, at these places.
func (p plan) mayKeepAside() error {
	if !p.Spaces {
		return fmt.Errorf("%w: changes are kept aside in namespaces, which this system lets nobody but root make", ErrUnavailable)
	}
	if !p.Closed {
		return errors.New("with changes kept aside there is no network")
	}
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	for _, l := range p.Aside {
		if at := mountedBelow(string(text), l.At); at != "" {
			return fmt.Errorf("%w: something is mounted below %s, at %s", ErrUnavailable, l.At, at)
		}
		if isBelow(l.Upper, l.At) {
			return fmt.Errorf("what is kept aside of %s cannot be in it", l.At)
		}
	}
	return nil
}

// mountedBelow is the first place below a directory at which something is mounted, by the text of mountinfo.
func mountedBelow(text, dir string) string {
	for row := range strings.Lines(text) {
		fields := strings.Fields(row)
		if len(fields) < 5 {
			continue
		}
		if at := unescaped(fields[4]); at != dir && isBelow(at, dir) {
			return at
		}
	}
	return ""
}

// unescaped is a path as the system lists it, with blanks and line ends by their numbers in base eight.
func unescaped(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if path[i] == '\\' && i+3 < len(path) {
			if n, err := strconv.ParseUint(path[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(path[i])
	}
	return b.String()
}

// Try shuts a process in that runs nothing, and returns why the system does not let it.
func (b *Box) Try(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	told, err := b.told()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Args, cmd.Env, cmd.Dir = []string{probeName, told}, []string{}, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	spaces(cmd.SysProcAttr, b.plan.Closed, len(b.plan.Aside) > 0)
	runtime.LockOSThread() // the child ends with the thread that started it
	defer runtime.UnlockOSThread()
	out, err := cmd.Output() // it ends as one that failed, whatever it found
	switch text := string(out); {
	case text == probeName:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case text == "":
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	default:
		return fmt.Errorf("%w: %s", ErrUnavailable, text)
	}
}

// mount puts the layer over its directory. The paths are given by open files: there are letters that the system takes
// for its own in a list of options.
func (l Layer) mount() error {
	var names [3]string
	for i, path := range []string{l.At, l.Upper, l.Work} {
		fd, err := unix.Open(path, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		defer func() { _ = unix.Close(fd) }() // it is only a name
		names[i] = fmt.Sprintf("/proc/self/fd/%d", fd)
	}
	options := fmt.Sprintf("userxattr,lowerdir=%s,upperdir=%s,workdir=%s", names[0], names[1], names[2])
	if err := unix.Mount("overlay", l.At, "overlay", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return fmt.Errorf("overlay: %w", err)
	}
	return nil
}

// patience is how long what runs has to end by itself when its terminal is gone.
const patience = 2 * time.Second

// leave tells all processes of the namespace that their terminal is gone, and ends them soon.
func leave() {
	_ = unix.Kill(-1, unix.SIGHUP) // all but this one
	time.AfterFunc(patience, func() { unix.Exit(128 + int(unix.SIGHUP)) })
}

// awaitNobody waits until nobody reads any more what is written to a file: whoever started this was killed, and there is
// no terminal that says so.
func awaitNobody(fd int32) bool {
	for {
		list := []unix.PollFd{{Fd: fd}}
		_, err := unix.Poll(list, -1)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return false
		case list[0].Revents&(unix.POLLHUP|unix.POLLERR) != 0:
			return true
		default:
			return false
		}
	}
}

// reign starts the command and ends with it, as the first process of its namespace: with it end all that the command
// left behind. It returns only why it could not.
func reign(path string, argv, env []string) error {
	// Nobody looks into this process: other threads of it still have the rights that this one gave back.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return err
	}
	got := make(chan os.Signal, 8)
	signal.Notify(got) // they are the command's, which gets them as well
	go func() {
		for s := range got {
			if s == unix.SIGHUP {
				leave()
			}
		}
	}()
	go func() {
		if awaitNobody(1) {
			leave()
		}
	}()
	pid, err := syscall.ForkExec(path, argv, &syscall.ProcAttr{Env: env, Files: []uintptr{0, 1, 2}})
	if err != nil {
		return err
	}
	for {
		var status unix.WaitStatus
		ended, err := unix.Wait4(-1, &status, unix.WUNTRACED, nil)
		switch {
		case errors.Is(err, unix.EINTR) || err == nil && ended != pid:
		case err != nil:
			return err
		case status.Stopped(): // nobody else could continue it
			time.Sleep(50 * time.Millisecond)
			_ = unix.Kill(pid, unix.SIGCONT)
		case status.Signaled():
			unix.Exit(128 + int(status.Signal())) // this process is the command, as behind syscall.Exec
		default:
			unix.Exit(status.ExitStatus())
		}
	}
}
