package repl

import (
	"os"
	"time"

	"golang.org/x/term"
)

// AnswersCursor asks the terminal that this process was started from where its
// cursor is, and reports whether it answers in the time that an editor of lines
// would wait. Nobody else may be reading from it.
func AnswersCursor() bool {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer tty.Close()
	conn, err := tty.SyscallConn() // Fd would take the deadline away
	if err != nil {
		return false
	}
	var old *term.State
	if cerr := conn.Control(func(fd uintptr) { old, err = term.MakeRaw(int(fd)) }); cerr != nil || err != nil {
		return false
	}
	defer func() {
		_ = conn.Control(func(fd uintptr) { _ = term.Restore(int(fd), old) }) // it is ours, and was just set
	}()
	if _, err := tty.WriteString("\x1b[6n"); err != nil {
		return false
	}
	if err := tty.SetReadDeadline(time.Time{}); err != nil {
		return true // no way to ask without the risk to wait for ever
	}
	late := time.AfterFunc(time.Second, func() { _ = tty.SetReadDeadline(time.Unix(1, 0)) })
	defer late.Stop()
	var b [1]byte
	for {
		if _, err := tty.Read(b[:]); err != nil {
			return false
		}
		if b[0] == 'R' {
			return true
		}
	}
}
