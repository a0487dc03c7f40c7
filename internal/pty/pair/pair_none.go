//go:build !unix

package pair

import (
	"errors"
	"os"
	"os/exec"
)

// Start is not there on this system: the error is errors.ErrUnsupported.
func Start(*exec.Cmd, int, int) (*os.File, error) { return nil, errors.ErrUnsupported }
