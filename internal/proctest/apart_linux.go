package proctest

import "syscall"

// dieTogether has a process end with the one that started it.
func dieTogether(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
