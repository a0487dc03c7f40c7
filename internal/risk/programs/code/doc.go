// Package code judges code that stands on a command line in other languages than the
// shell's: awk, sed, SQL, Python and their like. It finds what runs, writes, removes,
// sends or hides; only of sed, of a lone print and of a question to a database does it
// say that it does nothing else.
package code
