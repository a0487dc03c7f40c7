// Package shellinit has what the person's own shell needs to work with ken: the
// script that "ken init" prints, and "ken suggest", which that script asks for a
// command line.
//
// # Laws
//
//   - A script starts no process at a prompt, and works where it is read twice, where unset
//     variables are errors, and beside hooks that others have set.
//   - What a model suggests comes into the line that is edited, on one line, without control
//     characters, and is never run.
package shellinit
