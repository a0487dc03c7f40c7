// Pictures records what the papers show of ken: each scene is played on a real terminal, by a real shell
// and the real program, against a model on the loopback that has a script. What is typed and what comes
// is written as a recording in asciinema's format, which a program of its own makes pictures of.
//
//	go run ./pictures -ken FILE -o DIR
//
// writes DIR/NAME.cast for each scene. The times in a recording are those of a person who types; how fast
// the machine was is not in it.
package main
