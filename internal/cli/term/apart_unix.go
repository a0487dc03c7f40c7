//go:build unix

package term

import (
	"os/exec"
	"syscall"
)

// apart has a program run in a session of its own: Ctrl-C here does not end it.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
