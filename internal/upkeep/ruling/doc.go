// Package ruling is about the rules of one person's memory, opened: which commands they
// are held against, and how the set came to be what it is. What a set is and what a
// change of it comes to is package rules' to say.
//
// It reads conversations and the account, newest first and no more than it says, and
// decides nothing.
package ruling
