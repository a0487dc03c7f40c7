// Package agents drives the real programs of other assistants against a model with a script, with ken set up in them by ken setup:
// what the memory has reaches the model, a call reaches ken, its result reaches the model, and of their files nothing changes
// but what is ken's.
//
// It has tests alone, which are skipped where KEN_AGENTS does not name the directory in which the programs are installed;
// make agents installs them and names it. A program that is missing there is a failure.
package agents
