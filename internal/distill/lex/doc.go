// Package lex looks for phrases in the words of a short text without
// a model: what a person states, and what tries to be remembered.
//
// # Caveats
//
// Scripts that are written without blanks have no words here; look for their
// phrases in text.Fold of the text.
package lex
