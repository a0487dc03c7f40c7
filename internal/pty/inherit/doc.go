// Package inherit mends what a process passes on to the programs that it starts
// although it did not choose it: signals that whoever started this process had ignored.
// nohup ignores SIGHUP, and so do many runners of tests; a program that is started so
// ignores it as well, and cannot be hung up any more.
package inherit
