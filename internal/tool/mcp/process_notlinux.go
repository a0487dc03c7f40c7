//go:build !linux

package mcp

import (
	"os"
	"os/exec"
)

// awaitExit waits until the process has ended.
func awaitExit(cmd *exec.Cmd) *os.ProcessState {
	state, err := cmd.Process.Wait()
	if err != nil {
		return nil
	}
	return state
}
