// Package engine owns one person's memory: the log of this device, the replicas
// of their other devices, and the state they fold to. It is the only writer.
//
// Every write is one append of whole records under the log's lock, checked and
// masked before, durable when the call returns, and answered with a Receipt
// that names the lines written, so that undoing is always one command away.
//
// # Caveats
//
// Reading and writing are separate on purpose: Remember does not fold the log,
// so a cold `ken remember` costs the same at ten items and at a hundred
// thousand. State reads only what was appended since it was last called, and
// starts again from the beginning when a person edited the file.
package engine
