// Package repl is the terminal face: it reads lines, distinguishes commands from command
// lines for the shell and from words for the model, and keeps an interrupt to the
// thing that is running. What the commands do is the caller's.
//
// # Interrupts
//
// Ctrl-C ends what runs now and nothing more: an answer that streams, a question
// that waits for yes or no, a line that is being typed. While a command line runs
// it is that command's. Twice within two seconds at an empty prompt it leaves the
// shell, as Ctrl-D does.
//
// # Caveats
//
// A read from a terminal cannot be taken back. A line whose reader was
// interrupted is handed to the next one who asks.
//
// # Reasons
//
// Reading a line (repl/edit), choosing from a list (repl/choose) and showing an answer (markdown) are packages of
// their own that know nothing of the shell. Each takes a writer and a size, so each is tested on a screen in
// memory. They do not import each other.
package repl
