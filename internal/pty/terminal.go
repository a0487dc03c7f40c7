//go:build linux || darwin

package pty

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"ken/internal/pty/inherit"
	"ken/internal/pty/pair"
)

// A terminal is the pseudo-terminal of one command, and the person's own while
// the command has it.
type terminal struct {
	master, slave *os.File
	fd            int // of master, for reading without waiting; -1 once it is hung up. File.Fd would make it wait again

	own   *os.File // where a person types; nil if nobody does
	ownFD int      // of own; -1 if nobody types any more
	state *term.State
	found *unix.Termios  // what state is
	guard *guard         // nil if none is set
	fatal chan os.Signal // would end ken with the terminal in raw mode
	shown bool           // a person sees the output
}

// openTerminal makes a terminal with the size and the settings of the person's.
func openTerminal(in *os.File, out io.Writer) (*terminal, error) {
	master, slave, err := pair.Open()
	if err != nil {
		return nil, err
	}
	t := &terminal{master: master, slave: slave, fd: int(master.Fd()), ownFD: -1}
	screen, _ := out.(*os.File)
	t.shown = screen != nil && term.IsTerminal(int(screen.Fd()))
	if in != nil && term.IsTerminal(int(in.Fd())) {
		t.own, t.ownFD = in, int(in.Fd())
	}
	err = t.prepare(screen)
	if err == nil {
		err = unix.SetNonblock(t.fd, true)
	}
	if err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// prepare sets size and settings of the new terminal.
func (t *terminal) prepare(screen *os.File) error {
	switch {
	case t.own != nil:
		t.resize(t.ownFD)
	case t.shown:
		t.resize(int(screen.Fd()))
	default:
		_ = unix.IoctlSetWinsize(t.fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80})
	}
	slave := int(t.slave.Fd())
	from := slave
	if t.own != nil {
		from = t.ownFD
	}
	settings, err := unix.IoctlGetTermios(from, getTermios)
	if err != nil {
		return err
	}
	if t.own == nil || !t.shown {
		// The output is not for a screen in raw mode, so a line end stays a line
		// end; and what is typed, if anything, is not part of it.
		settings.Oflag &^= unix.OPOST
		settings.Lflag &^= unix.ECHO
	}
	return unix.IoctlSetTermios(slave, setTermios, settings)
}

// start starts the command with the terminal as its own, and takes the person's
// away from ken.
func (t *terminal) start(c Command) (process, error) {
	// Its context ends in a hang-up and not at once in a kill, so not CommandContext.
	cmd := exec.Command(c.Argv[0], c.Argv[1:]...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	cmd.Stdout, cmd.Stderr = t.slave, t.slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if t.own != nil {
		cmd.Stdin = t.slave
		cmd.SysProcAttr.Setctty, cmd.SysProcAttr.Ctty = true, 1
	} else {
		// Nobody types, so nothing may wait for keys: there is no terminal to be opened by
		// name, and from the one that shows the output nothing can be read.
		if c.Given && c.In != nil {
			cmd.Stdin = c.In
		} // else it is the null device
		shows, err := pair.Again(t.master, t.slave, os.O_WRONLY)
		if err != nil {
			return nil, err
		}
		defer func() { _ = shows.Close() }()
		cmd.Stdout, cmd.Stderr = shows, shows
	}
	if c.Prepare != nil {
		if err := c.Prepare(cmd); err != nil {
			return nil, fmt.Errorf("run %s: %w", c.Argv[0], err)
		}
	}
	if err := t.raw(); err != nil {
		return nil, fmt.Errorf("hand the terminal to %s: %w", c.Argv[0], err)
	}
	inherit.Defaults() // or it could not be hung up where ken cannot
	p, err := start(cmd, c.Kept)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", c.Argv[0], err)
	}
	_ = t.slave.Close() // so that the end of the command is the end of its terminal
	t.slave = nil
	return p, nil
}

// raw puts the person's terminal in raw mode, if there is one. A signal that
// would end ken at once first gives it back.
func (t *terminal) raw() error {
	if t.own == nil {
		return nil
	}
	var err error
	if t.found, err = unix.IoctlGetTermios(t.ownFD, getTermios); err != nil {
		return err
	}
	if t.state, err = term.MakeRaw(t.ownFD); err != nil {
		return err
	}
	t.fatal = make(chan os.Signal, 1)
	signal.Notify(t.fatal, unix.SIGQUIT, unix.SIGABRT, unix.SIGSEGV)
	fatal, fd, state := t.fatal, t.ownFD, t.state
	go func() {
		s, ok := (<-fatal).(syscall.Signal)
		if !ok {
			return // the terminal was given back
		}
		_ = term.Restore(fd, state)
		signal.Reset(s)
		_ = unix.Kill(os.Getpid(), s)
	}()
	return nil
}

// resize gives the terminal the size of the screen fd. A size that cannot be read
// or set is a matter of looks.
func (t *terminal) resize(fd int) {
	if size, err := unix.IoctlGetWinsize(fd, unix.TIOCGWINSZ); err == nil && t.fd >= 0 {
		_ = unix.IoctlSetWinsize(t.fd, unix.TIOCSWINSZ, size)
	}
}

// hungUp notes that nobody has the terminal open any more.
func (t *terminal) hungUp() { t.fd = -1 }

// close gives the person's terminal back and ends the other.
func (t *terminal) close() {
	if t.state != nil {
		_ = term.Restore(int(t.own.Fd()), t.state) // if that fails there is no terminal any more
		signal.Stop(t.fatal)
		close(t.fatal)
	}
	if t.guard != nil {
		t.guard.dismiss()
	}
	if t.slave != nil {
		_ = t.slave.Close()
	}
	_ = t.master.Close()
}
