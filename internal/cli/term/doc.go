// Package term is what commands stand on: one run of the program, with its
// flags, its home (settings, place, memory, conversations, models), its voice, and
// the exit codes that its errors come to. Whom it asks is its Person, whose word it is
// its Lane, what its outputs show its Screen, and where it stands its Process. It knows
// no command and parses no command line.
//
// Each part of a home is opened when it is first asked for and kept until the run ends,
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
// A Run is one person's run and is not safe for concurrent use. In the shell
// one Run serves every line, with Shell set.
package term
