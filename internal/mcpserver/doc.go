// Package mcpserver is the face for other assistants: it speaks the Model Context Protocol
// over a pair of streams. It translates, and decides nothing: what a client may see and
// write is package app's business. What it remembers waits for the person, under the
// client's own name.
//
// The tools are recall and remember. A fault of a call is a result with IsError, whose
// text has the next step; the connection goes on.
package mcpserver
