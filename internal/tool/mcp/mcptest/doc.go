// Package mcptest has tool servers for tests: one that is as it should be, made with the
// protocol's library, and odd ones, written by hand, that do what servers should not.
package mcptest
