// Package port has the shapes of what programs send to ken and are answered: the
// arguments and the answers of the ports (docs/programs.md), and the lines of every --jsonl.
//
// # Laws
//
//   - The shapes stay, whatever the memory stands on: a program that was written for
//     them needs no change.
//   - A list that is always there is an array, also if it is empty, never null.
//   - An id comes back as it was given; null if there was none.
package port
