package pty

import (
	"errors"
	"io"
	"os"
	"os/exec"

	"ken/internal/pty/keep"
)

// ErrUnsupported says that this system has no pseudo-terminals that ken can use.
var ErrUnsupported = errors.New("commands can be run on Linux and macOS only")

// A Command is what Run and Pipe run, and where.
type Command struct {
	Argv []string // program and arguments; a program without "/" is looked up in this process's PATH
	Dir  string   // working directory; "" for that of this process
	Env  []string // "NAME=value"; nil for that of this process
	// In is where a person types. A file that is no terminal, or nil: nobody does.
	In *os.File
	// Given: if In is no terminal, it is the command's standard input, and not the null
	// device. For Run; Pipe always gives it.
	Given bool
	// Prepare changes how the command is started, at the last moment; nil: nothing does.
	// For Run.
	Prepare func(*exec.Cmd) error
	// Kept gets the keeper with which the command was started, so that it ends with this process, and all that it
	// left running; nil: it has none. For Run, where nobody types.
	Kept func(*keep.Command)
	// Out gets the output as it comes. If it fails, the command is hung up and
	// Run returns the error.
	Out io.Writer
	// Err gets standard error, by Pipe; nil: it is part of the output. With Run it
	// always is.
	Err io.Writer
	// Signals are passed on to the command's processes in the foreground; nil:
	// none are.
	Signals <-chan os.Signal
	// Keep is the most bytes of output that Result.Output holds.
	Keep int
}

// A Result is how a command ended.
type Result struct {
	// Code is the exit code: n, or 128+n if signal n ended the command.
	Code int
	// Bytes is how much it printed.
	Bytes int64
	// Output is what is kept of that, as it came.
	Output Captured
}
