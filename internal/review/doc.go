// Package review is the queue between a suggestion and the memory: what a model,
// a tool, an import or a plan proposes stands here until a person has said yes or
// no. It is a file of lines (review.jsonl) and what they fold to; and it says what
// waits, there and in the logs, and what an answer writes to the memory and to the
// queue. Who asks the person is the business of others; what is written to the memory
// the engine writes.
//
// # Lines
//
// A proposal says what would be written, where it comes from and why. A decision
// answers one proposal: yes, no, or later. An undo takes a decision back. Each
// line has a number of its own, one above the largest that any line names.
//
// # Laws
//
//   - Nothing in this file is memory. What was let in stands in the memory, on a
//     line that names the proposal; that line is the truth about it.
//   - A yes is two lines in two files, the memory's first. If the second is missing,
//     the first counts: nothing is lost, and nothing is asked again.
//   - What was refused is not proposed again, whoever proposes it and however its
//     blanks and capitals are set.
//   - A proposal gets one yes, however many give it: the lines of the memory, as they
//     stand under its lock, decide. What a yes writes has the origin of the proposal.
//   - An answer that cannot be followed keeps no other from being followed.
//   - An undo brings the proposal back to those that wait.
//   - A line that cannot be read costs that line alone, and is reported.
//
// # Reasons
//
// The two files cannot be written in one step. The line of the memory goes first and names the proposal, so a
// crash between the two loses nothing and asks nothing twice, and two people who answer at once write one line.
// Answers are not lines of the memory, because refusals would then be synchronised and kept with what is true.
// Numbers belong to the queue of this device; a number that the own memory names is spent, even if the file of the
// queue was deleted.
package review
