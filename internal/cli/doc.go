// Package cli is the command line: the root of all commands, the wiring of what
// is below, signals and exit codes. What commands stand on is package term; the
// commands themselves are in packages named after what they are about: memory,
// chat. The same commands serve the shell: what `ken X Y` does outside, `:X Y`
// does inside, with the same flags and the same output.
//
// # Voice
//
// Standard output carries only what was asked for. Everything else goes to
// standard error: "ken: error:" in one line and, where a next step is known,
// "ken: hint:" in another; "ken: warning:" for a fault that did not stop the
// answer; "[ken]" before what the shell says unasked. Questions go to the
// terminal, their default is no, and silence is no.
//
// # Exit codes
//
//	0    done, or answered
//	1    ken's own failure, or something was not saved
//	2    the command line or the configuration is wrong
//	3    no model, or the endpoint, its key or the network failed
//	4    refused, or nobody was there to allow it
//	5    a limit was reached
//	6    the answer ended too early, and what came is on standard output; or it has no text
//	130  interrupted
//	141  standard output was closed
//
// ken exec passes on the command's own code, and 127 if there is no shell to run
// it.
//
// # Reasons
//
// Each noun of the command line has a package. Commands on one noun change together and share references, hints
// and drafts. One package for all would let each command reach the fields of every other one; one package a verb
// would make forty that share their flags. Packages of commands do not import each other: what two of them need
// goes down. Package term does not know cobra, so a test can make a run without words to parse. A command that
// runs inside the shell asks four things of it, and chat.Tree gives the shell the tree of all commands.
package cli
