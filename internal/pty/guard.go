//go:build linux || darwin

package pty

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// guardAfter is how long a command runs before a guard is set. Most are over by then,
// and do not pay for a process of their own.
const guardAfter = 200 * time.Millisecond

// guardScript reads what would put the terminal right, a line each time that changes, until
// a dot says that it is right. If the lines end before, ken is gone: killed, out of memory,
// or ended by a fault of another goroutine. The settings are left alone if somebody else
// took the terminal by then: output that is not processed is ken's doing.
const guardScript = `trap '' HUP INT QUIT TERM TSTP PIPE
undo=
while IFS= read -r line; do
  [ "$line" = . ] && exit 0
  undo=$line
done
case $(stty -a <&3) in *-opost*) stty "$1" <&3 2>/dev/null || stty sane <&3 ;; esac
printf '%s' "$undo" >&3`

// A guard is a process that puts the person's terminal right if this one no longer can.
type guard struct {
	lines *os.File
	fd    int // of lines, for writing without waiting
	told  string
}

// newGuard sets a guard for the terminal own, which had the settings found. A guard
// that cannot be set is done without.
func newGuard(own *os.File, found *unix.Termios) *guard {
	r, w, err := os.Pipe()
	if err != nil {
		return nil
	}
	cmd := exec.Command("/bin/sh", "-c", guardScript, "ken-guard", saved(found))
	cmd.Stdin, cmd.ExtraFiles = r, []*os.File{own}
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=/usr/bin:/bin:/usr/local/bin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // what ends ken does not end it
	err = cmd.Start()
	_ = r.Close()
	if err != nil {
		_ = w.Close()
		return nil
	}
	go func() { _ = cmd.Wait() }()
	g := &guard{lines: w, fd: int(w.Fd())}
	_ = unix.SetNonblock(g.fd, true) // one that does not read is no reason to wait
	return g
}

// tell gives it what would put the modes of the terminal right now.
func (g *guard) tell(undo string) {
	if undo == g.told {
		return
	}
	g.told = undo
	_, _ = unix.Write(g.fd, []byte(undo+"\n"))
}

// dismiss ends it: the terminal is right.
func (g *guard) dismiss() {
	_, _ = unix.Write(g.fd, []byte(".\n"))
	_ = g.lines.Close()
}

// saved is what "stty -g" says of such settings on Linux. Other systems have
// other forms; there the guard falls back on settings that are usual.
func saved(t *unix.Termios) string {
	const all = 32 // characters of C's termios
	var b strings.Builder
	fmt.Fprintf(&b, "%x:%x:%x:%x", t.Iflag, t.Oflag, t.Cflag, t.Lflag)
	for i := range all {
		var c byte
		if i < len(t.Cc) {
			c = t.Cc[i]
		}
		fmt.Fprintf(&b, ":%x", c)
	}
	return b.String()
}
