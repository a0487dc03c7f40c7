//go:build unix && !linux

package mcp

import "syscall"

func dieTogether(*syscall.SysProcAttr) {}
