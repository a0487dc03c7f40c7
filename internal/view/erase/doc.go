// Package erase says to people and programs what was taken out of files, or masked in
// them, and what a look into every file found afterwards.
//
// # Laws
//
//   - Nothing here holds a text that was erased but what the person is to be asked about.
package erase
