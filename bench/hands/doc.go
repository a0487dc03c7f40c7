// Package hands measures commands on a terminal: a real one, on which ken, script or
// tmux runs a program, is drained by whoever looks. It tells how fast a hundred
// megabytes of text come through, what the shortest command costs, and how long
// a key takes to a child and back.
package hands
