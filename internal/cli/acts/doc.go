// Package acts has the words for changes of files that tools made: how they are named, shown and
// taken back. What may be taken back, and how, is package undo's.
package acts
