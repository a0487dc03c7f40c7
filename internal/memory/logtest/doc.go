// Package logtest says what every memory.Log has to do, as tests: Run puts an
// implementation through its paces. It also has an implementation of its own,
// Memory, for tests of what stands on a log.
package logtest
