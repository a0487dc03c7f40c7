// Package chat holds what is done with conversations: asking one question, the
// shell, the command lines that are run in it, and the sessions of the past. It makes a command of a line of the
// shell; what goes into a prompt is package agent's business, and how lines are
// read and interrupted package repl's.
//
// # Lines of the shell
//
// A line that begins with a colon is words like those of a command line, with
// quotes and backslashes. Names of commands may be cut to any beginning that is
// unique. Where a command ends in a text (`:remember`, `:ask`), that text is the
// rest of the line exactly as it was typed, apostrophes and all, so that nobody
// has to quote a sentence.
//
// # Command lines
//
// A line for the person's shell runs there as it stands, but for cd, export and
// unset: those act on ken itself if they are the whole line. Where a person looks
// at the output it stands between two rules; a script gets the output alone. The
// conversation learns of each.
package chat
