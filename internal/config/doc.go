// Package config reads the settings of a person and says where their files
// stand.
//
// # Laws
//
//   - The file is TOML and read strictly: a key that is not known, a value of
//     another type and a value out of range are problems, never guesses.
//   - All problems of a file are reported at once, each with file, row and column,
//     the key, and what is allowed there; the first one in the file first.
//   - A missing file is the defaults, unless the person named it.
//   - Looking makes nothing: no directory and no file.
//   - No error holds a value that could be a secret: values are quoted only
//     where a short list or a range says what they may be.
//
// # Caveats
//
// Rows and columns count from 1, columns in characters. They come from the
// parser of go-toml's package unstable, whose interface may change between its
// versions: the tests of this package pin every position.
//
// A setting that is accepted although nothing reads it yet is not an error;
// Unused lists those that the person has set, so that a face can name them.
package config
