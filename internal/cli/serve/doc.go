// Package serve is the servers: the commands that start a face for other programs, the page and the phone, where they
// decide nothing, and those of the tool servers that a conversation uses.
package serve
