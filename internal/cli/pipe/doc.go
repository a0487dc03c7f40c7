// Package pipe is the commands that stand in a pipe: redact masks the secrets
// of a text, clean takes out what acts on a terminal. Both read standard input,
// write standard output, and know neither memory nor model. So does risk, which says
// how much a command line could do. Beside them stands port: the commands that programs
// call to keep memory through ken, fixed names, JSON in and out; docs/programs.md has their
// shapes, which stay; package app has what they do.
//
// A text passes as it arrives, in bounded memory. With --jsonl each line is a
// text of its own, and its answer is written before the next line is read, so that
// another program can keep one filter running and ask it line by line.
//
// # Laws
//
//   - What a filter writes does not depend on the pieces in which its input
//     arrives.
//   - With --jsonl there is one line out for each line in that is not blank, in
//     order; one that cannot be read costs its own answer.
//   - No output holds a byte of an escape sequence, but for the plain text of
//     redact, which is masked and otherwise byte for byte what came in.
//   - What a program says through a port is suggested; only flags on a command line,
//     outside the lane of a model, are the person's own word.
//   - A fault of the memory costs what it would have brought: recall and export of a
//     port answer empty, with a warning, and end well.
package pipe
