// Package distillcmd is the commands that make candidates for memory of what was
// said: `ken memory summarize`, which asks about each, `ken extract`, which only shows
// them, and what happens of its own accord at the end of a conversation if the settings
// want it (Automatic).
//
// # Laws
//
//   - What a model answers is never memory by itself: a person says yes to each, or
//     a policy that they wrote lets in what they typed themselves.
//   - A fault of the model costs the candidates and nothing else, and is told in one
//     line.
//   - Without a model the statements that the person typed are the candidates.
package distillcmd
