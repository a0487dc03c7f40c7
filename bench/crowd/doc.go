// Package crowd has several writers add to one memory at the same time and counts
// what they were told was kept, and what is there afterwards. A memory that loses
// what it acknowledged is worse than one that refuses.
//
// It knows three kinds of writers: a program that holds a memory open and is told
// what to add (Start), a command for each addition (Command), and a memory
// server that speaks the Model Context Protocol over its standard input (Serve).
package crowd
