// Package environ says which variables of an environment go to a process that a model has
// started: to its commands all but those that hold secrets (Filter), to servers of tools what every program needs and
// what they are set to have (Bare). Those that hold secrets stay at home.
//
// # Laws
//
//   - To a server goes nothing that is not needed by every program or named by the person.
//   - To a command a variable goes or stays by what it is: by its name and by its value. A name that is not
//     known, with a value that looks like a secret, stays.
//   - What the person names goes, whatever it is. Nothing else lets a secret through.
//   - What stays is told: by its name and why, never by its value.
//
// # Caveats
//
// A password made of plain words, under a name that says nothing, goes.
package environ
