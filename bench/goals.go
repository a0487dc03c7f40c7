//go:build unix

package main

// The goals: what ken may take at most on an ordinary machine. They are meant to
// be noticed when missed, not to be tuned to one machine: a missed goal is
// compared with the floor and the anchors beside it before anything is concluded.
const (
	// Starting must not be felt, and most of it is what the linked libraries do
	// before main; the empty program links none.
	goalStartMS    = 3
	goalStartTimes = 4 // of an empty Go program
	goalPromptMS   = 50

	// From the start to the request on the wire, with memory chosen.
	goalRequestMS    = 10
	goalRequestBigMS = 15 // with 100k memories

	// All that is not the model's time, with 1k memories and the session kept.
	goalAskWallMS = 12
	goalAskCPUMS  = 11
	goalAskPeakMB = 16
	goalExitMS    = 3 // from the last byte of the stream, with the session synced

	// What is asked for besides the question, with neither memory nor tools.
	goalFixedBytes = 1000

	// From the model's sending a token to its being on the pipe or terminal.
	goalVisiblePipeMS     = 0.5
	goalVisibleTerminalMS = 5
	goalVisibleP99MS      = 5

	// What each token of a long answer costs, and that it costs no more at its
	// end than at its beginning.
	goalTokenPipeUS     = 5
	goalTokenTerminalUS = 15
	goalGrowthTimes     = 1.2
	goalLongSec         = 3 // 100k tokens into a terminal
	goalLongPeakMB      = 28

	// A command that remembers one thing, synced to the disk.
	goalAddTimes       = 3   // of locking, appending and syncing
	goalAddSQLiteTimes = 1.5 // of sqlite3 doing the same
	goalAddFlatTimes   = 1.2 // of the same with an empty memory

	// The same inside a process that goes on.
	goalWarmMS        = 0.3
	goalWarmP99MS     = 2
	goalWarmFlatTimes = 1.2 // of the smallest memory

	// Taking in what others kept: 25k a second, masked and without doubles.
	goalImportUS = 40

	// The index beside the memory, of its bytes.
	goalIndexPart = 70

	// What masking costs each kilobyte of ordinary text.
	goalMaskUS = 20
)
