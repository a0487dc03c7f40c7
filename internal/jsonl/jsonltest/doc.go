// Package jsonltest is a file system that fails: a jsonl.FS over a real
// directory whose calls return errors, stop half-way or never come back when a
// test says so, and which knows what would be left after a power failure.
//
// A test runs an operation once to count its calls, then once for each call and
// each fault. After a crash it opens what the directory holds (the process was
// killed), or what PowerLoss makes of it (the machine was), and looks whether
// everything that was acknowledged is there.
//
// # Caveats
//
// Only what goes through the Disk is seen. What a test writes to the directory
// by other means is taken for durable after Settle. Directories themselves are
// always durable.
package jsonltest
