package filelog

import (
	"os"

	"ken/internal/jsonl"
	"ken/internal/memory"
)

// Chain names the row of appends that the end of the log is in, by the head file; 0
// if that does not show it. A position that was good in a chain is good as long as the
// log is in it.
func (l *Log) Chain() uint64 {
	fi, err := os.Stat(l.path)
	if err != nil {
		return 0
	}
	h := readHead(l.o.Head)
	if s, ok := jsonl.StampOf(fi); !ok || !h.fits(s) {
		return 0
	}
	return h.Chain
}

// Believe lets a log that has read nothing yet take it that a position was good in a chain.
// As long as the log is in that, Records does not read again what stands before it.
func (l *Log) Believe(at memory.Cursor, chain uint64) {
	if m, err := mark(at); err == nil && m.Offset > 0 && l.knownHead().Mark == (jsonl.Mark{}) {
		l.know(head{Mark: m, Chain: chain})
	}
}
