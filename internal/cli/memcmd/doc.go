// Package memcmd holds the commands on memory: remember, forget, undo, and those
// below `ken memory`. Each is flags, one call of the engine, and what is said of
// it; what a memory looks like is package view's, what it means package memory's.
package memcmd
