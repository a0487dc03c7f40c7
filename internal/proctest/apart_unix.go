//go:build unix

package proctest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"

	"ken/internal/pty/inherit"
)

// Apart makes this process alone, as those of Command are, and is the first thing in
// the TestMain of tests whose processes others start: those of scripts inherit what the
// tests have. Where this process is not alone it starts itself once more, passes on the
// signals that it gets, and exits as the other does.
func Apart(o Outside) {
	if isApart() {
		return
	}
	code, err := again(o)
	if err != nil {
		fmt.Fprintln(o.Err, "the tests ended:", err)
	}
	o.Exit(code)
}

func isApart() bool {
	sid, err := unix.Getsid(0)
	if err != nil || sid != os.Getpid() || signal.Ignored(syscall.SIGHUP) || signal.Ignored(syscall.SIGINT) {
		return false
	}
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR|unix.O_NOCTTY, 0)
	if err == nil {
		_ = tty.Close()
	}
	return err != nil
}

// again runs this program in a session of its own.
func again(o Outside) (code int, err error) {
	exe, err := os.Executable()
	if err != nil {
		return 1, err
	}
	inherit.Defaults()
	runtime.LockOSThread() // the other ends with the thread that started it
	cmd := exec.Command(exe, os.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = o.In, o.Out, o.Err
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	dieTogether(cmd.SysProcAttr)
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM)
	if err := cmd.Start(); err != nil {
		return 1, err
	}
	go func() {
		for s := range signals {
			_ = cmd.Process.Signal(s)
		}
	}()
	err = cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		return exit.ExitCode(), nil
	}
	if err != nil {
		return 1, err
	}
	return 0, nil
}
