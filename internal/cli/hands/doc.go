// Package hands is what commands do with command lines for the shell: run them
// between rules, ask the gate about those that the person did not type, offer what an
// answer proposes, and run a line in the lane of a model.
//
// # Laws
//
//   - What a model offers runs in the person's own lane, on their terminal, and only
//     after a key that was pressed while the question stood there, or by what the
//     person said beforehand (package gate).
//   - What is shown before a question is the whole line, with everything in it that
//     does not show itself written out.
//   - Where nobody can be asked, in the lane of a model or a tool too, what would be
//     asked does not run.
package hands
