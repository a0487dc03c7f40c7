// Package lex reads the words of a short text for those who look for phrases in it
// without a model: what a person states, and what tries to be remembered.
//
// # Caveats
//
// Scripts that are written without blanks have no words here; look for their
// phrases in Fold of the text.
package lex
