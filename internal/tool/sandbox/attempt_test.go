//go:build linux

package sandbox_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"ken/internal/proctest"
	"ken/internal/tool/sandbox"
)

// attempt runs one of the attempts that no shell can make, in a process of its own.
func attempt(name string) error {
	out, project := os.Getenv("O"), os.Getenv("P")
	got := func(err error) error { // the attempt got through: say so where it may be said
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(project, "got"), []byte("got"), 0o600)
	}
	victim, _ := strconv.Atoi(os.Getenv("V"))
	kept := filepath.Join(out, "kept")
	switch name {
	case "truncate":
		return unix.Truncate(kept, 0)
	case "open-truncate":
		f, err := os.OpenFile(kept, os.O_RDONLY|os.O_TRUNC, 0)
		if err == nil {
			err = f.Close()
		}
		return err
	case "exchange":
		return unix.Renameat2(unix.AT_FDCWD, filepath.Join(project, "mine"), unix.AT_FDCWD, kept, unix.RENAME_EXCHANGE)
	case "tmpfile-link":
		fd, err := unix.Open(project, unix.O_TMPFILE|unix.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		return unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", fd), unix.AT_FDCWD, filepath.Join(out, "new"), unix.AT_SYMLINK_FOLLOW)
	case "handle":
		h, _, err := unix.NameToHandleAt(unix.AT_FDCWD, kept, 0)
		if err != nil {
			return err
		}
		at, err := unix.Open(out, unix.O_RDONLY|unix.O_DIRECTORY, 0)
		if err != nil {
			return err
		}
		fd, err := unix.OpenByHandleAt(at, h, unix.O_WRONLY|unix.O_TRUNC)
		if err == nil {
			_, err = unix.Write(fd, []byte("x"))
		}
		return err
	case "ptrace":
		if err := unix.PtraceAttach(victim); err != nil {
			return err
		}
		return got(nil)
	case "vm-read":
		at, err := strconv.ParseUint(os.Getenv("ADDRESS"), 0, 64)
		if err != nil {
			return err
		}
		buf := make([]byte, 16)
		parent := os.Getppid()
		n, err := unix.ProcessVMReadv(parent, []unix.Iovec{{Base: &buf[0], Len: 16}}, []unix.RemoteIovec{{Base: uintptr(at), Len: 16}}, 0)
		if err == nil && n != 16 {
			err = io.ErrUnexpectedEOF
		}
		return got(err)
	case "pidfd-getfd":
		p, err := unix.PidfdOpen(victim, 0)
		if err != nil {
			return err
		}
		fd, err := unix.PidfdGetfd(p, 3, 0)
		if err == nil {
			_, err = unix.Write(fd, []byte("x"))
		}
		return err
	case "type-into-terminal":
		c := byte('x')
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, 0, unix.TIOCSTI, uintptr(unsafe.Pointer(&c)))
		if errno != 0 {
			return errno
		}
		return nil
	case "attribute":
		return unix.Setxattr(kept, "user.escaped", []byte("x"), 0)
	case "unix", "unixgram", "unixpacket", "abstract":
		network, addr := name, os.Getenv("SOCKET")
		if name == "abstract" {
			network, addr = "unix", os.Getenv("ABSTRACT")
		} else if name == "unixgram" {
			addr += ".dgram"
		}
		return say(network, addr)
	case "tcp":
		return say("tcp", os.Getenv("TCP"))
	case "udp":
		return say("udp", os.Getenv("UDP"))
	case "dns":
		return say("udp", os.Getenv("FAR"))
	case "connected-by-sendto":
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
		if err != nil {
			return err
		}
		a, err := net.ResolveUDPAddr("udp4", os.Getenv("UDP"))
		if err != nil {
			return err
		}
		return unix.Sendto(fd, []byte("x"), 0, &unix.SockaddrInet4{Port: a.Port, Addr: [4]byte(a.IP.To4())})
	case "listen":
		l, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("LISTEN"))
		if err != nil {
			return err
		}
		fmt.Println("up")
		go func() { // until nobody tries any more
			_, _ = io.Copy(io.Discard, os.Stdin)
			_ = l.Close()
		}()
		c, err := l.Accept()
		if err == nil {
			_, err = c.Write([]byte("x"))
		}
		return err
	case "packet", "vsock", "alg", "bluetooth":
		family := map[string]int{"packet": unix.AF_PACKET, "vsock": unix.AF_VSOCK, "alg": unix.AF_ALG, "bluetooth": unix.AF_BLUETOOTH}[name]
		_, err := unix.Socket(family, map[bool]int{true: unix.SOCK_RAW, false: unix.SOCK_STREAM}[name == "packet"], 0)
		return got(err)
	case "io-uring":
		var params [120]byte
		_, _, errno := unix.Syscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&params[0])), 0)
		if errno != 0 {
			return errno
		}
		return got(nil)
	case "keyring":
		_, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_USER_SESSION_KEYRING, true)
		return got(err)
	case "itself": // no attempt: a program that talks to itself
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		return say("tcp", l.Addr().String())
	case "held": // no attempt: a command in the sandbox, for who starts this as another account
		return held(os.Getenv("LINE"), project, os.Getenv("K"))
	case "signal":
		return syscall.Kill(victim, syscall.SIGKILL)
	}
	return fmt.Errorf("no attempt %q", name)
}

// held runs a line in the sandbox and prints what it printed, and whether there are namespaces.
func held(line, project, own string) error {
	w := sandbox.Wish{Mode: sandbox.WriteNet, Dir: project, Write: []string{project}, Hide: []string{own}}
	if upper := os.Getenv("U"); upper != "" {
		w.Aside = []sandbox.Layer{{At: project, Upper: upper, Work: os.Getenv("W")}}
	}
	b, err := sandbox.Open(w)
	if err != nil {
		return err
	}
	if err := b.Try(context.Background()); err != nil {
		return err
	}
	cmd := proctest.Lent("/bin/sh", "-c", line)
	cmd.Dir, cmd.Stdout, cmd.Stderr = project, os.Stdout, os.Stdout
	if err := b.Prepare(cmd); err != nil {
		return err
	}
	fmt.Println("namespaces", sandbox.Here().Spaces)
	return cmd.Run()
}

// say sends a byte to who listens.
func say(network, addr string) error {
	c, err := net.DialTimeout(network, addr, time.Second)
	if err != nil {
		return err
	}
	_, err = c.Write([]byte("x"))
	return err
}
