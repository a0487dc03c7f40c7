// Package scan looks for what should not be in a memory, or not any more: secrets,
// the same thing twice, two things that contradict each other, what has passed its
// time, what came back out of the memory into it, what rests on something forgotten.
// It is pure and changes nothing: it gives findings, each with the reference that it
// is about and what would mend it.
//
// # Laws
//
//   - A finding never quotes a secret: texts are masked first.
//   - The same memory, conversations and time give the same findings in the same order.
//   - The work grows with the number of items and lines, not with its square.
package scan
