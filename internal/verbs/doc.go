// Package verbs is the table of what a person can type to a conversation as a command: a row for each, with the faces that
// take it. A face lists, reads and describes its commands from here, and does no command that the table does not offer there.
//
// # Laws
//
//   - At one face a word means one verb.
//   - A verb that a face offers is done there, and nothing else is.
package verbs
