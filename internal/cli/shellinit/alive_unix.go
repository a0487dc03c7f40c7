//go:build unix

package shellinit

import (
	"errors"
	"syscall"
)

// alive reports whether there is a process pid.
func alive(pid int) bool {
	return pid > 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
