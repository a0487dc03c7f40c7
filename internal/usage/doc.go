// Package usage keeps when memories were last of use: usage.jsonl. It feeds the
// order of what stands in prompts, and what may be put away; it is derived from what
// was asked, holds no text, and may be deleted at any time.
//
// # Format
//
//	{"ts":"2026-05-10T19:00:09Z","refs":["3","laptop-7f3a/4"]}
//	{"ts":"2026-05-10T19:00:09Z","sent":["3"]}
//	{"ts":"2026-05-10T19:00:09Z","seen":["1-3","h1a2b3c4d"]}
//
// The newest line that names a reference says when it was last used; the lines that
// name it, how often. A line with "n":6 counts six times. A line that cannot be read costs
// itself. References of what was forgotten or erased may stay: numbers are never
// given again.
//
// The newest line that has a reference under "sent" says when the memory last stood in
// a start-up block that went to a model: that keeps it from being put away, and moves
// it in no order. The oldest that has one under "seen", where numbers that follow each
// other are one word, says when its line was first seen here: what is put in place as a
// file begins to age then.
//
// # Laws
//
//   - No fault of this file stops or slows an answer: a flush waits a fifth of a
//     second for the lock, and what it cannot write is dropped with the process.
//   - The file is bounded: over MaxSize it is rewritten with one line for each time and number.
package usage
