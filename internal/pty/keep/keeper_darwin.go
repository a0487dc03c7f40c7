package keep

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// program is this program.
func program() (string, error) { return os.Executable() }

// adopt does nothing: this system gives orphans to its first process.
func adopt() {}

func together(*syscall.SysProcAttr) {}

func dup(from, to int) error { return unix.Dup2(from, to) }

// groups: a process group is all that is known of a command's processes.
const groups = true

// others reports whether something is left in the command's process group.
func (k *keeper) others() bool { return !errors.Is(unix.Kill(-k.pid, 0), unix.ESRCH) }

// all are no processes: see groups.
func (k *keeper) all() []int { return nil }
