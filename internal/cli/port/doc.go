// Package port holds the commands that programs call to keep memory through ken:
// fixed names, JSON in and out. docs/ports.md has their shapes, which stay.
//
// # Laws
//
//   - What a program says is suggested; only flags on a command line, outside the
//     lane of a model, are the person's own word.
//   - A fault of the memory costs what it would have brought: recall and export
//     answer empty, with a warning, and end well.
package port
