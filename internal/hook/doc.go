// Package hook is the face that an assistant runs as a program at the start of a conversation or at a question: it reads the event
// from its input and prints what the memory has for it, in the form that the assistant takes.
//
// # Laws
//
//   - It comes back in time, whatever is wrong, and has no outcome: an exit code would take the question from the person.
//   - What cannot be read, or not in time, is said in the assistant's form; where the event is not known nothing is printed.
//   - What it gave is noted by reference. Nothing is written behind its return.
package hook
