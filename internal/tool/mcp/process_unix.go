//go:build unix

package mcp

import (
	"errors"
	"os/exec"
	"syscall"
	"time"
)

// apart gives a server a session of its own: no terminal to ask on, and no Ctrl-C that was
// meant for ken.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	dieTogether(cmd.SysProcAttr)
}

func terminate(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

// awaitGroup waits until nothing is left of a group that was killed, a quarter of a second at most: what nobody waits
// for stays for ever.
func awaitGroup(cmd *exec.Cmd) {
	for range 50 {
		if errors.Is(syscall.Kill(-cmd.Process.Pid, 0), syscall.ESRCH) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
