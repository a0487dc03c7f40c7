package sandbox

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// mount makes everything read-only but what is written to, hides what is hidden, and makes the
// shared memory, the loopback and, where nothing of the person's work is below /tmp, /tmp the
// command's own: then own is true.
func (p plan) mount(write []string) (own bool, err error) {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return false, fmt.Errorf("mounts of its own: %w", err)
	}
	for _, l := range p.Aside {
		if err := l.mount(); err != nil {
			return false, fmt.Errorf("changes of %s aside: %w", l.At, err)
		}
	}
	for _, at := range write {
		if err := unix.Mount(at, at, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return false, fmt.Errorf("mount %s: %w", at, err)
		}
	}
	own = p.Temp != ""
	for _, at := range append([]string{p.Dir}, p.Write...) {
		own = own && !isBelow(at, "/tmp")
	}
	open := write
	if own {
		if err := unix.Mount(write[0], "/tmp", "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return false, fmt.Errorf("mount /tmp: %w", err)
		}
		open = append([]string{"/tmp"}, write[1:]...)
	}
	if err := readOnly("/", true); err != nil {
		return false, fmt.Errorf("mount read-only: %w", err)
	}
	for _, at := range open {
		// What was read-only before stays so, which is no more than was asked for.
		if err := readOnly(at, false); err != nil && !errors.Is(err, unix.EPERM) {
			return false, fmt.Errorf("mount %s writable: %w", at, err)
		}
	}
	for _, at := range p.Hide {
		if err := hide(at); err != nil {
			return false, fmt.Errorf("hide %s: %w", at, err)
		}
	}
	if err := unix.Mount("none", "/dev/shm", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777"); err != nil {
		return false, fmt.Errorf("mount /dev/shm: %w", err)
	}
	if len(p.Aside) > 0 {
		// The numbers of its processes are its own. Where parts of /proc are masked, as in many containers, the system
		// allows no other one; the old one is read-only then and shows other numbers.
		err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY, "")
		if err != nil && !errors.Is(err, unix.EPERM) {
			return false, fmt.Errorf("mount /proc: %w", err)
		}
	}
	if p.Closed {
		return own, loopback()
	}
	return own, nil
}

// hide puts nothing in place of a file or a directory.
func hide(at string) error {
	fi, err := os.Lstat(at)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil // below one that is hidden already
	case err != nil:
		return err
	case fi.IsDir():
		return unix.Mount("none", at, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_RDONLY, "size=4k,mode=0500")
	}
	return unix.Mount("/dev/null", at, "", unix.MS_BIND, "")
}

// readOnly makes all mounts at and below a path read-only, or writable.
func readOnly(at string, on bool) error {
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if !on {
		attr = unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}
	}
	return unix.MountSetattr(unix.AT_FDCWD, filepath.Clean(at), unix.AT_RECURSIVE, &attr)
}

// loopback brings up the one way in a network that leads nowhere, for programs that talk to
// themselves: a message to the kernel that the first interface is up.
func loopback() error {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_ROUTE)
	if err != nil {
		return fmt.Errorf("loopback: %w", err)
	}
	defer func() { _ = unix.Close(fd) }()
	const length = unix.SizeofNlMsghdr + unix.SizeofIfInfomsg
	e := binary.NativeEndian
	m := e.AppendUint32(nil, length)
	m = e.AppendUint16(m, unix.RTM_NEWLINK)
	m = e.AppendUint16(m, unix.NLM_F_REQUEST|unix.NLM_F_ACK)
	m = append(m, make([]byte, 8)...) // number, sender
	m = append(m, make([]byte, 4)...) // family, type
	m = e.AppendUint32(m, 1)          // of lo
	m = e.AppendUint32(m, unix.IFF_UP)
	m = e.AppendUint32(m, unix.IFF_UP) // what changes
	if err := unix.Sendto(fd, m, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return fmt.Errorf("loopback: %w", err)
	}
	buf := make([]byte, 4096)
	n, _, err := unix.Recvfrom(fd, buf, 0)
	if err != nil {
		return fmt.Errorf("loopback: %w", err)
	}
	if n < unix.SizeofNlMsghdr+4 {
		return errors.New("loopback: no answer")
	}
	if errno := -int32(e.Uint32(buf[unix.SizeofNlMsghdr:])); errno != 0 {
		return fmt.Errorf("loopback: %w", unix.Errno(errno))
	}
	return nil
}
