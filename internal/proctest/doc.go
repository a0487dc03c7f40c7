// Package proctest starts every process of a test: a gate of archtest refuses any other
// way. A process that it starts knows nothing of whoever runs the tests. It has a session of its own, and so no terminal on which it could ask a
// person something or be stopped; signals that were ignored are at their default; its
// environment holds what it needs and nothing of the person's: a home and a directory for
// temporary files of its own, one language, one time zone. At the end of the test it is
// killed with all of its session's first group.
package proctest
