// Package last knows the last command line that the person ran in their own shell: how
// it ended, and inside tmux what it printed. The script of "ken init" writes it down.
//
// # The file
//
// KEN_SHELL_STATE names it, in a directory of the person's own, 0600:
//
//	ken-shell 1
//	exit 2
//	dir /home/ada/src
//	hidden                        only if the line is one that the shell keeps to itself
//	line                          and everything after it is the line
//	  501  make test
//
// The number before the line is there where the shell is bash.
package last
