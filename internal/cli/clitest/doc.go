// Package clitest is ken as tests of the command line meet it: a real process, with
// its files in a directory of the test's own, on a pseudo-terminal or without one. The
// packages of such tests call Main from TestMain and are then ken themselves.
package clitest
