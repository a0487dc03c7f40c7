//go:build unix

// Bench measures what a person would notice of ken: how fast it starts, answers,
// streams and remembers, and what it takes of the machine for that. It starts ken
// as a process, against a model on the loopback that the bench itself plays, and
// in the same run the things to compare it with: minimal Go programs that do only
// what cannot be avoided, and tools that anyone can install.
//
//	go -C bench run . [-run REGEXP] [-n RUNS] [-quick] [-big] [-json FILE] [-ken FILE] [-vs FILE] [-dir DIR]
//
// What is compared runs turn by turn (A B B A A B ...), because machines drift.
// Each goal is printed as met or MISSED beside what was measured; neither changes
// the exit code, which says only whether everything could be measured. What the
// rows mean and how to read them stands in docs/benchmarks.md.
//
// # Reasons
//
// It is a module of its own without a go.work, so that nobody who builds ken needs what the measurements need. The
// tree test reads both modules as one tree.
package main
