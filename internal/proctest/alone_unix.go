//go:build unix

package proctest

import (
	"os/exec"
	"syscall"
)

// alone gives a process a session of its own, which is killed as a group. Where the
// system can, it also ends with this process: tests that are killed tidy nothing up.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	dieTogether(cmd.SysProcAttr)
	cmd.Cancel = func() error {
		if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil {
			return cmd.Process.Kill()
		}
		return nil
	}
}

func surroundings() []string { return nil }
