// Package command finds the passwords on command lines: behind the short options of
// programs that take one there, in what is piped or fed to a program that asks for
// one, and in a few statements of SQL. Long options are names, and package naming
// reads them.
//
// # Caveats
//
// A command line is read roughly: quotes, blanks and the ends of simple commands
// count, expansions do not.
package command
