package tombstone

import (
	"slices"
	"strings"

	"ken/internal/memory"
)

// A ReturnedError says that what was erased is not gone: it stands beside a State
// that hides it all the same.
type ReturnedError struct {
	// Returned are items that an older copy of a log brought back.
	Returned []memory.ID
	// Begun are items whose erasing was interrupted.
	Begun []memory.ID
}

func (e *ReturnedError) Error() string {
	var parts []string
	if len(e.Returned) > 0 {
		parts = append(parts, "text that was erased is in a memory file again, and stays hidden: #"+strings.Join(names(e.Returned), " #"))
	}
	if len(e.Begun) > 0 {
		parts = append(parts, "an erasing was interrupted: #"+strings.Join(names(e.Begun), " #"))
	}
	return strings.Join(parts, "; ")
}

// Hint returns the next step.
func (e *ReturnedError) Hint() string {
	return "erase it again: ken forget --for-good " + strings.Join(names(append(slices.Clone(e.Returned), e.Begun...)), " ")
}

// names are references for people, each once, and not more than a person reads.
func names(ids []memory.ID) []string {
	const most = 8
	var list []string
	for _, id := range ids {
		if ref := id.String(); len(list) < most && !slices.Contains(list, ref) {
			list = append(list, ref)
		}
	}
	return list
}

// linesLog is the name under which the fold gets what the journal says. No log of
// a device has it: those end in four digits.
const linesLog = "erased"

// Lines returns the lines that hide again what is there again.
func Lines(ids []memory.ID) memory.Lines {
	l := memory.Lines{Log: linesLog}
	for i, id := range ids {
		rec := &memory.Record{ID: memory.Num(int64(i) + 1), Kind: memory.KindErased, Target: id}
		l.Entries = append(l.Entries, memory.Entry{Record: rec})
	}
	return l
}
