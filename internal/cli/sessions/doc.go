// Package sessions is `ken sessions`: the conversations of the past, listed, shown
// and exported. What is done in a live one is package talk's business.
//
// An export leaves out what was forgotten; a list and a page of turns show what the
// file says.
package sessions
