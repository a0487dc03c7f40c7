// Package lookcmd holds the commands that look a memory through and change nothing:
// `ken memory scan`. What is found is package scan's, where the files are package
// config's.
package lookcmd
