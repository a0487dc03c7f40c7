package httpapi

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestForeign: another account does not get to the socket, and is hung up on where somebody opened its modes to all.
func TestForeign(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can be another account")
	}
	b := newBed(t)
	dir, err := os.MkdirTemp("", "ken") //nolint:usetesting // the path of a socket is short, and others get there
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // as above
		t.Fatal(err)
	}
	path := filepath.Join(dir, "run", "s")
	l, hosts, err := ListenSocket(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	b.s.hosts[hosts[0]] = true
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- b.s.Serve(ctx, l) }()
	defer func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	ask := "GET /health HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + b.token + "\r\nConnection: close\r\n\r\n"
	if _, err := as(65534, path, ask); !errors.Is(err, unix.EACCES) {
		t.Errorf("another account, by the modes: %v", err)
	}
	for _, name := range []string{filepath.Dir(path), path} {
		if err := os.Chmod(name, 0o777); err != nil { //nolint:gosec // as somebody did who should not have
			t.Fatal(err)
		}
	}
	if text, err := as(65534, path, ask); text != "" {
		t.Errorf("another account is told %q, %v", text, err)
	}
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if _, err := io.WriteString(c, ask); err != nil {
		t.Fatal(err)
	}
	if err := c.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(c); err != nil || len(text) < 15 || string(text[:15]) != "HTTP/1.1 200 OK" {
		t.Errorf("the same account: %v, %.60s", err, text)
	}
}

// as sends something to a socket as another account, and returns what comes back until it ends. The account is that of one
// thread, which nobody gets back.
func as(uid uintptr, path, say string) (text string, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		text, err = asThread(uid, path, say)
	}()
	<-done
	return text, err
}

func asThread(uid uintptr, path, say string) (string, error) {
	if _, _, no := unix.RawSyscall(unix.SYS_SETRESUID, uid, uid, uid); no != 0 {
		return "", no
	}
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	defer func() { _ = unix.Close(fd) }()
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 10}); err != nil {
		return "", err
	}
	if err := unix.Connect(fd, &unix.SockaddrUnix{Name: path}); err != nil {
		return "", err
	}
	if err := unix.Sendto(fd, []byte(say), unix.MSG_NOSIGNAL, nil); err != nil {
		return "", err
	}
	var all []byte
	for buf := make([]byte, 4096); ; {
		n, err := unix.Read(fd, buf)
		if n <= 0 {
			return string(all), err
		}
		all = append(all, buf[:n]...)
	}
}
