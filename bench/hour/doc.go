// Hour plays a stranger's first hour: in tmux, in real shells with homes of their own, with the real
// program, first without a model and then with one on the loopback that has a script. Every step waits for
// the prompt that it ends at, and for what it has to show; its screen is written as a text file.
//
//	go run ./hour -ken FILE -o DIR [-shells bash,zsh,fish] [-cols 80] [-rows 24]
//
// writes DIR/SHELL/NN-NAME.txt for each step and DIR/SHELL/all.txt for all that went by. It fails where a
// step does not come to its end, where what it has to show is not there, and where tmux or a shell is
// missing. Nothing is left behind but DIR.
package main
