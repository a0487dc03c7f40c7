// Package auto is a run of a model that works on a goal by itself: what it may spend, where it halts
// before the person, when it is over, and what was done.
//
// A run goes from running to one of its outcomes. A step is one answer of a model: its calls are done,
// then the command lines in its text, and only then does its word count that the goal is reached. What
// is safe, and what the person allowed beforehand, runs; all else halts, and the person proceeds, skips or
// aborts. Whoever sends and does is package agent/turn; who asks is a port.
//
// # Laws
//
//   - A goal is no right: nothing is done that the gate would not let a model do in a conversation, but
//     for a yes to exactly that.
//   - Silence aborts.
//   - No act is done twice: one that had begun when the run was killed is unknown, and stays so.
//   - A run ends: by what it may spend, if by nothing else.
package auto
