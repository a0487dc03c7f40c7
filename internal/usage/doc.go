// Package usage keeps when memories were last of use: usage.jsonl. It feeds the
// order of what stands in prompts, and what may be put away; it is derived from what
// was asked, holds no text, and may be deleted at any time.
//
// # Format
//
//	{"ts":"2026-05-10T19:00:09Z","refs":["3","laptop-7f3a/4"]}
//
// The newest line that names a reference says when it was last used; the lines that
// name it, how often. A line with "n":6 counts six times. A line that cannot be read costs
// itself. References of what was forgotten or erased may stay: numbers are never
// given again.
//
// # Laws
//
//   - No fault of this file stops or slows an answer: a flush waits a fifth of a
//     second for the lock, and what it cannot write is dropped with the process.
//   - The file is bounded: over MaxSize it is rewritten with one line for each time and number.
package usage
