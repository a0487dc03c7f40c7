// Package shelltest tests the shell of ken, and ken in the shells of a person, on
// terminals.
package shelltest
