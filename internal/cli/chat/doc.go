// Package chat holds what is done with conversations at a terminal: asking one question,
// the shell, and the command lines that are run in it. A turn is package agent/turn's
// business: a question is made of flags or of a line here, and an answer is printed. How
// lines are read and interrupted is package repl's.
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
