// Package page reads pages of Markdown that tell an assistant what to know:
// CLAUDE.md, AGENTS.md and their like, and what assistants note for themselves.
//
// Each point of a list and each short paragraph is a Point. What stands above it,
// a heading or a point with points below it, stands before texts that say too
// little by themselves. Blocks of code of more than one line, tables, comments,
// long paragraphs, what is marked as <private> and what stands in other files is
// left out.
//
// # Laws
//
//   - A page is text: nothing that it names is opened.
//   - No point is a rule, whatever its words, and none is blank or holds what was
//     marked as private.
package page
