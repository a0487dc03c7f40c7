// Package wrap lays lines of ken's own out for whoever looks at them: on a terminal
// they are broken at words, with commands, paths and references whole, as wide as the
// terminal is at that moment; in a pipe or a file they stay byte for byte as they are.
//
// It is the one way of such a line to a terminal. What is exempt has a row in archtest:
// answers, which are laid out while they stream; the output of commands; and what is
// made for another program to read.
package wrap
