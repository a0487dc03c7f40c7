// Package rules says which rules are in force, what a change of them would come to,
// and which sets there were before. It is pure: it reads a state of the memory, and
// commands that others recorded.
//
// A set holds every rule of the memory, and the preferences and lessons that bind
// commands. A Difference is what makes one set of another. What it comes to is
// computed in two ways: Effect compares what the rules say, and an Impact holds both
// sets against commands.
//
// # Laws
//
//   - An Effect errs to one side: where a difference does not relax, no command, at no
//     place and no time, is held less by the new set than by the old one. What cannot be
//     compared relaxes.
//   - A rule that can only stand in a prompt is in the set. To take it away relaxes.
//   - An Impact is what holding each rule against each command gives, one by one.
//   - A version is what the lines of the memory said up to a line: appending changes no
//     earlier version. A line that was erased is in none.
//   - A return to a version gives exactly its set, and nothing else of the memory
//     changes; where it cannot, it is an error and no line.
//
// # Reasons
//
// A return that needs several lines has two more: the first is an undo of all that follow, the last an undo of the
// first. Without the last line nothing counts, so a write that breaks off leaves the set as it was, and the last
// line is also what takes the return back. A count on the lines would need every reader of the log to know
// complete groups; undo lines mean what they always meant.
package rules
