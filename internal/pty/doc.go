// Package pty runs one command on a pseudo-terminal of its own, as if it had
// been started where the person sits: editors, pagers and password prompts
// work, and what it prints is shown as it comes and kept in part. Where nobody looks at
// the output, Pipe runs it as a shell would that sends the output there.
//
// # Laws
//
//   - Output reaches Command.Out byte for byte and in order, all of what the
//     command wrote before it ended included; but for a person who looks at it
//     not what package filter below takes out.
//   - While somebody can type, their terminal is in raw mode: every key is the
//     command's, Ctrl-C, Ctrl-Z and Ctrl-\ too. Afterwards the terminal is as it was,
//     whether the command ended, was killed, or ken is ended by a signal or a
//     panic of this goroutine; modes that the command switched on and left on
//     are switched off.
//   - Without a terminal to type on, the command's standard input is empty, or what the
//     caller gives it, and nothing is read on its behalf, so that the lines of a script
//     stay the script's; and no line end is translated. It has no terminal to wait at
//     either: /dev/tty is not there, and what shows its output cannot be read from. What draws on
//     a whole screen all the same, as an editor does, is hung up after two seconds.
//   - Memory does not grow with the output.
//
// # Caveats
//
// A process that the command left in the background loses its terminal: what it
// prints later is not seen. There is no job control: the command's processes are
// a session of their own, so Ctrl-Z is theirs to act on and mostly does nothing, and
// a command that stops itself is continued.
//
// What is typed while a command runs is the command's, whether it reads it or not:
// it is gone with the command's terminal.
//
// After SIGKILL, or a panic of another goroutine, a guard puts the terminal right: a
// process beside every command that runs for more than a moment.
package pty
