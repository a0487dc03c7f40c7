// Package expected says what the tests of a memory found: which of the memories that a
// question is expected to call up it did not, which others it did, and why.
package expected
