// Package environ says which variables of an environment go to a process that a model has
// started: its commands, and servers of tools. Those that hold secrets stay at home.
//
// # Laws
//
//   - A variable goes or stays by what it is: by its name and by its value. A name that is not
//     known, with a value that looks like a secret, stays.
//   - What the person names goes, whatever it is. Nothing else lets a secret through.
//   - What stays is told: by its name and why, never by its value.
//
// # Caveats
//
// A password made of plain words, under a name that says nothing, goes.
package environ
