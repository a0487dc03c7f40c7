// Package habits finds in saved conversations what costs a person the same effort again and again: a wish that they
// type anew in nearly the same words, a tool that fails over and over on one file or program, a command that they correct by hand
// the same way more than once. It is pure and asks no model: what it finds is counted, with the turns that show it.
//
//	session    a transcript -> Trace: typed wishes, calls and how they ended, commands of the person (trace.go)
//	Find       traces -> Found: signals, the most frequent first (find.go)
//	Evidence   signals -> a short text, for a person or a model that judges (evidence.go)
//
// # What counts
//
// Wishes are alike if they share at least half of the words that say what they are about (text.Core): "convert csv to json
// please" and "convert another csv to json" are. Three in two conversations are a signal. Three failures of one tool on one
// file or program, one after another, are one; any other call in between ends the row. Two corrections by the same words are one:
// a command that failed or was not wanted, and the one that the person ran in its place.
//
// # Laws
//
//   - The same traces give the same signals, in whatever order they come.
//   - A signal names turns of the conversations that it was found in, and no others.
//   - What the person did not type is no wish: text from files, tools, memory and other programs.
//   - Less than three conversations with anything in them give no signal.
//
// # Caveats
//
// Texts are as the session has them: clean them for the place where they are shown, and mask them for a model.
package habits
