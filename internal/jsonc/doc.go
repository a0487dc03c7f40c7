// Package jsonc changes one value in the text of a JSON file that may have comments and trailing commas, and
// leaves every other byte alone. It is for the files of other programs.
//
// # Laws
//
//   - After Set, the key has the value, and every other key the one that it had. Set again changes nothing.
//   - After Unset the key is not there, nor are objects that Set made for it.
//   - Unset takes back what Set put in, byte for byte, where the key was not there before and the text was not blank.
//   - Add and Drop are the same for an element of a list, which is known by what it says: equal elements are one.
//
// Nothing in a text says which objects and lists were made, so their form does: in one that was made there is space
// behind the bracket; into one that was there, empty, what is put in comes directly behind the bracket.
// A comment is never taken out.
//
// Of a key that stands twice the last one counts, as for every reader; Unset takes out both.
package jsonc
