// Package shape looks at the letters of a command line and at the paths in it: what
// hides something from a reader, and what a path means to who changes or prints it.
// It reads no file: a path is judged by its name.
package shape
