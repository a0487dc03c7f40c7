// Package assistant is what ken knows of other assistants: what they are called, how it shows that a program was
// started from the shell of one, and where they keep what they were told. It reads no file.
//
// # Laws
//
//   - A name is a claim: it labels, and grants nothing.
//   - A sign in the environment only ever takes authority away: whoever could set it could leave it out.
package assistant
