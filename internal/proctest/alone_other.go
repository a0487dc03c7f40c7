//go:build !unix

package proctest

import (
	"os"
	"os/exec"
)

func alone(*exec.Cmd) {}

// surroundings are what every program of Windows needs.
func surroundings() []string {
	return []string{"SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), "TEMP=" + os.Getenv("TEMP"), "TMP=" + os.Getenv("TMP")}
}
