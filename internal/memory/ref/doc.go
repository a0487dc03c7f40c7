// Package ref names the lines of logs: by number, by the sum of their bytes
// where they have no number, with or without the log that they stand in. It
// also finds what belongs to a name.
package ref
