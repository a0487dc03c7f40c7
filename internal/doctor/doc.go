// Package doctor looks at what ken stands on, and says what is wrong: Look at all that ken needs around it (settings, models, disk,
// memory, programs, assistants), Files at its files for damage. Both return values; a face shows them.
//
// # Laws
//
//   - Nothing is changed: a finding names what is wrong, where, and the next step. What is written to try a disk is taken away again.
//   - Files looks at files alone. Look reaches for the servers of models that the settings name, unless it is told not to, and
//     for nothing else.
//   - No value that looks like a secret is in what is returned; keys of models are named by where they are.
package doctor
