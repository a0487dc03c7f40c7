//go:build unix && !linux

package proctest

import "syscall"

func dieTogether(*syscall.SysProcAttr) {}
