//go:build race

package battery

// raced says that the race detector watches: what a process takes is not its own,
// and large files take ten times as long.
const raced = true
