// Package forms is the table of tokens that their issuers made recognisable: what
// they begin with, of which bytes they are, how many. It finds nothing itself.
//
// # Caveats
//
// A short prefix of ordinary letters stands in the table only with an exact
// length or an alphabet that prose does not have; what a form finds must look
// random besides.
package forms
