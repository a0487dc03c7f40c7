// Package term is what commands stand on: one run of the program, with its
// flags, what it has opened so far (settings, place, memory, sessions, models),
// its voice, and the exit codes that its errors come to. It knows no command
// and parses no command line.
//
// Each part is opened when it is first asked for and kept until the run ends,
// so that `ken --version` reads nothing and `ken remember` no session.
//
// # Voice
//
// Standard output carries only what was asked for (Println, PrintJSON). All
// else goes to standard error: Status for what ken does unasked, Warn for a
// fault that did not stop the answer, Report for the one that did. Questions go
// to the terminal, their default is no, and silence is no.
//
// # Caveats
//
// An Run is one person's run and is not safe for concurrent use. In the shell
// one Run serves every line, with Shell set.
package term
