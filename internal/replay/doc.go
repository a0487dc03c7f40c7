// Package replay makes the choice of memories of a past answer again, to say what it would
// have been with one memory less.
//
// That can be done since the choice is pure: of the same lines, question, place, uses and
// time it is the same. The lines are in the log, the question is in the conversation, and
// the trace of the answer has the times. Nothing is taken on trust: the choice is made with
// that memory first, and has to come to what the trace says.
//
// # Laws
//
//   - What it says is exact is what the answer is given where that memory is forgotten in
//     earnest before the question.
//   - Nothing that was forgotten or erased since has a part in it.
package replay
