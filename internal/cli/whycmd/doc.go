// Package whycmd holds the commands that say why an answer is what it is: which
// memories it had, and why another one was not among them.
package whycmd
