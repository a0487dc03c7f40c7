//go:build !race

package jsonl

// raceEnabled says that the race detector slows everything down.
const raceEnabled = false
