// Package stated finds plain statements of a person about themselves and their work
// in what they typed, without a model: what they prefer, decided, are called, work
// on, aim at and agreed on. It copies sentences and writes none.
//
// # How it reads
//
// A text is split into sentences. What asks, supposes, quotes, tells what others said,
// speaks of the moment or hands over material is left out. The rest is compared, from its
// first word on, with a table of openings (table.go), each with the kind of memory
// that it states and the words that may not follow.
//
// # Laws
//
//   - A statement is a part of the text, but for the days that it speaks of, which are
//     added in brackets ("next Friday (2026-11-27)").
//   - A text of many lines, or of code, states nothing.
//   - No statement holds what package redact takes for a secret.
//
// # Caveats
//
// It would rather miss ten statements than find one that is none. English first; of
// German, Spanish and French the plainest forms.
package stated
