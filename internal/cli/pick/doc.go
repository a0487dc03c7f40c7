// Package pick is how a person says with words which memory, conversation or scope they
// mean: by reference, by text, by filter; and how they are asked where several fit. The
// search itself is package search's.
package pick
