// Package programs knows programs by their names and flags: which only read, which
// change something, which of their flags write a file or run another program.
//
// What is known stands in rows/, a row for each program or subcommand, and,
// where flags do not say it all (find, sed, git, rm), in functions named for the
// program. A flag that a row does not list is never safe, unless the row says that
// no flag of that program writes or runs anything. A program without a row is a
// caution.
//
// The package reads nothing but the words that it is given. What a program does with
// a path, and what it runs in turn, it hands back as deeds, for another to judge.
package programs
