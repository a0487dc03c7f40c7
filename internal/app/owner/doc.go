// Package owner is the person at a face of their own that is no terminal, such as the page: what they see there, and what
// they may change. They state, edit, pin and forget at once, decide what waits, and can take it back. What binds commands is for
// the terminal alone: rules, and what else raises a verdict. Nothing is erased or masked here: what erasing would take is shown.
package owner
