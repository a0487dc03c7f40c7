// Package programs knows programs by their names and flags: which only read, which
// change something, which of their flags write a file or run another program.
//
// What is known stands in rows/, a row for each program or subcommand, and,
// where flags do not say it all (find, sed, git, rm), in functions named for the
// program. A flag that a row does not list is never safe, unless the row says that
// no flag of that program writes or runs anything. A program without a row is a
// caution.
//
// Code of other languages on a command line (awk, sed, SQL, Python) is searched for what
// runs, writes, removes, sends or hides; the package says only of sed, of a lone print and of a
// question to a database that it does nothing else. What git only reads is safe where the
// configuration of the repository is trusted: it names programs.
//
// The package reads nothing but the words that it is given. What a program does with
// a path, and what it runs in turn, it returns as operations, for another to judge.
package programs
