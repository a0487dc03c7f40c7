// Package made makes up what benchmarks work on: memories, transcripts and
// conversations. The same call gives the same bytes at every run, so that runs
// can be compared.
package made
