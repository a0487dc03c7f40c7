// Package settings changes the file of settings for its person: it writes the first one, with the model that they begin with, and
// sets and unsets keys. It asks and prints nothing.
//
// # Laws
//
//   - The file is replaced as a whole, by one that was parsed strictly before; a broken one is never put in its place.
//   - Keys that were not asked for keep their bytes and their values.
//   - Several keys are set together or not at all.
package settings
