package httpapi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"ken/internal/fault"
	"ken/internal/jsonl"
)

// dialWait is how long a server that holds a socket has to answer.
const dialWait = time.Second

// socketHost is the Host of those who come by a socket.
const socketHost = "localhost"

// mostSocket is the longest path that every system takes as a socket's, in bytes.
const mostSocket = 103

// ListenSocket listens at a unix socket, in a directory of the person's alone. What a server that is gone left there is
// replaced. Errors: another server answers there; something else has the name. hosts are for New.
func ListenSocket(ctx context.Context, path string) (l net.Listener, hosts []string, err error) {
	if len(path) > mostSocket {
		return nil, nil, fault.Usagef("%s: the path is too long for a socket", path).
			WithHint("listen on TCP: %s", fault.Command("serve --tcp 127.0.0.1:8765"))
	}
	lock, err := jsonl.LockDir(ctx, filepath.Dir(path), 5*time.Second)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	if err := os.Chmod(filepath.Dir(path), 0o700); err != nil { //nolint:gosec // a directory that nobody else may enter
		return nil, nil, fmt.Errorf("the directory of the socket: %w", err)
	}
	switch fi, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, nil, err
	case fi.Mode().Type() != fs.ModeSocket:
		return nil, nil, fault.Refusedf("%s is there, and is no socket", path).WithHint("move it away")
	default:
		dialer := net.Dialer{Timeout: dialWait}
		if c, err := dialer.DialContext(ctx, "unix", path); err == nil {
			_ = c.Close()
			return nil, nil, fault.Refusedf("another server listens at %s", path).WithHint("end it first, or listen on TCP with --tcp")
		}
		if err := os.Remove(path); err != nil {
			return nil, nil, err
		}
	}
	var listen net.ListenConfig
	l, err = listen.Listen(ctx, "unix", path)
	if err != nil {
		return nil, nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, nil, errors.Join(err, l.Close())
	}
	return l, []string{socketHost}, nil
}

// ListenTCP listens at an address of this machine itself, as 127.0.0.1:8765. Port 0 is one that is free. Errors: the
// address is one that others reach, or is none; they name the flag by which it was given. hosts are for New.
func ListenTCP(ctx context.Context, flag, address string) (l net.Listener, hosts []string, err error) {
	at, err := ownAddress(flag, address)
	if err != nil {
		return nil, nil, err
	}
	var listen net.ListenConfig
	l, err = listen.Listen(ctx, "tcp", at.String())
	if err != nil {
		return nil, nil, err
	}
	bound, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		return nil, nil, errors.Join(fault.Failuref("listens at no address"), l.Close())
	}
	port := strconv.Itoa(bound.Port)
	return l, []string{net.JoinHostPort(at.Addr().String(), port), net.JoinHostPort(socketHost, port)}, nil
}

// ownAddress is an address of this machine itself.
func ownAddress(flag, address string) (netip.AddrPort, error) {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return at, fault.Usagef("%s %s: want an address and a port, as 127.0.0.1:8765", flag, address)
	}
	if !at.Addr().IsLoopback() || at.Addr().Is4In6() {
		return at, fault.Usagef("%s %s: other machines could reach that", flag, address).
			WithHint("listen on 127.0.0.1, and come from elsewhere through ssh -L")
	}
	return at, nil
}

// Answers reports whether a server of ken answers at an address of this machine itself, and nothing else does.
func Answers(ctx context.Context, address string) bool {
	if MayListen("", address) != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, dialWait)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/health", http.NoBody)
	if err != nil {
		return false
	}
	resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r) // no proxy, and no redirect is followed
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusUnauthorized && slices.Contains(resp.Header.Values("WWW-Authenticate"), realm)
}

// MayListen returns why there can be no server at an address; nil: there can. flag is as in ListenTCP.
func MayListen(flag, address string) error {
	_, err := ownAddress(flag, address)
	return err
}
