//go:build race

package filelog

// raceEnabled says that the race detector slows everything down.
const raceEnabled = true
