package sandbox

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// filterArch is how filters call the architecture of this program; 0 where ken has no
// filter for it.
func filterArch() uint32 {
	switch runtime.GOARCH {
	case "amd64":
		return unix.AUDIT_ARCH_X86_64
	case "arm64":
		return unix.AUDIT_ARCH_AARCH64
	}
	return 0
}

// Where the data of a system call stands that a filter sees.
const (
	dataNumber = 0
	dataArch   = 4
	dataArg0   = 16
	dataArg1   = 24
	otherABI   = 0x40000000 // bit of the numbers of x32
)

// barred are system calls that no command needs that is held: what only an administrator does,
// what reads a keyring, what goes around paths, and what does others' calls (io_uring).
func barred() []uint32 {
	return []uint32{
		unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_REBOOT,
		unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
		unix.SYS_BPF,
		unix.SYS_PERF_EVENT_OPEN,
		unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_SETNS,
		unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_IO_URING_SETUP, unix.SYS_PIDFD_GETFD,
	}
}

// filter restricts for ever which system calls this process makes. Sockets are of the
// internet, or with closed of nothing: by one of the machine (AF_UNIX) a service outside acts
// for whoever asks it, by others (AF_VSOCK, AF_BLUETOOTH, AF_PACKET) there are ways out that
// namespaces do not close.
func filter(closed bool) error {
	deny := func(e unix.Errno) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(e)}
	}
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	// if the value is k go on, else skip n
	is := func(k uint32, n uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: n, K: k}
	}
	allow := unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW}
	prog := []unix.SockFilter{
		load(dataArch),
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 1, K: filterArch()},
		deny(unix.EPERM),
		load(dataNumber),
		{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, Jf: 1, K: otherABI},
		deny(unix.EPERM),
	}
	for _, n := range barred() {
		e := unix.EPERM
		if n == unix.SYS_IO_URING_SETUP {
			e = unix.ENOSYS // programs go on without it
		}
		prog = append(prog, is(n, 1), deny(e))
	}
	families := []unix.SockFilter{load(dataArg0)}
	if !closed {
		for _, f := range []uint32{unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK} {
			families = append(families, is(f, 1), allow)
		}
	}
	families = append(families, deny(unix.EACCES))
	prog = append(prog, is(unix.SYS_SOCKET, uint8(len(families))))
	prog = append(prog, families...)
	types := []unix.SockFilter{
		load(dataArg1), is(unix.TIOCSTI, 1), deny(unix.EPERM), is(unix.TIOCLINUX, 1), deny(unix.EPERM), allow,
	}
	prog = append(prog, is(unix.SYS_IOCTL, uint8(len(types))))
	prog = append(prog, types...)
	prog = append(prog, allow)
	fprog := unix.SockFprog{Len: uint16(len(prog)), Filter: &prog[0]}
	_, _, errno := unix.Syscall(
		unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&fprog)),
	)
	if errno != 0 {
		return fmt.Errorf("filter of system calls: %w", errno)
	}
	return nil
}
