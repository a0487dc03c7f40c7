//go:build unix

package proctest

import (
	"os/exec"
	"syscall"
)

// alone gives a process a session of its own, which is killed as a group.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error {
		if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil {
			return cmd.Process.Kill()
		}
		return nil
	}
}

func surroundings() []string { return nil }
