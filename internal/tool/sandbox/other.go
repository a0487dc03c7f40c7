//go:build !linux

package sandbox

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
)

// Here returns what this machine has: nothing.
func Here() Machine { return Machine{} }

// Open returns ErrUnavailable: there is no sandbox on this system.
func Open(Wish) (*Box, error) {
	return nil, fmt.Errorf("%w: there is one on Linux only, and this is %s", ErrUnavailable, runtime.GOOS)
}

// Prepare fails: nothing is held here.
func (b *Box) Prepare(*exec.Cmd) error { return ErrUnavailable }

// Try fails: nothing is held here.
func (b *Box) Try(context.Context) error { return ErrUnavailable }

// Enter returns nil: no process of this system is started to be held.
func Enter([]string) error { return nil }
