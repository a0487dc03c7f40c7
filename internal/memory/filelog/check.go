package filelog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/regular"
)

// A Weight says how much a finding matters.
type Weight int

// The weights.
const (
	Note   Weight = iota // good to know; nothing is lost or in doubt
	Doubt                // something does not count as it stands there, or is unsafe
	Damage               // something cannot be read, or cannot be written to
)

// A Finding is something about the file that the fold of its lines does not
// tell.
type Finding struct {
	Line   int // from 1; 0 for the file as a whole
	Weight Weight
	What   string // lower case, no full stop
}

// Check reads the whole log and returns what a person should know of the file
// beyond what memory.Fold makes of the entries: headers out of their place, kinds
// that this version does not know, lines that stand twice, numbers that run out,
// a last line without its end. Nothing is written.
func (l *Log) Check(ctx context.Context) (entries []memory.Entry, findings []Finding, err error) {
	tell := func(line int, w Weight, format string, args ...any) {
		findings = append(findings, Finding{line, w, fmt.Sprintf(format, args...)})
	}
	first := map[memory.ID]int{} // by number: the entry that has it
	most := int64(0)
	for e, err := range l.Records(ctx, "") {
		if err != nil && e.Bad == nil {
			return entries, findings, err
		}
		entries = append(entries, e.Entry)
		r := e.Record
		switch {
		case e.Bad != nil:
			continue
		case e.Meta != nil && len(entries) > 1:
			tell(e.Line, Doubt, "a header that is not the first line")
		case e.Meta != nil && e.Meta.Format > memory.Format:
			tell(e.Line, Doubt, "written by a newer ken: format %d, and this one knows %d", e.Meta.Format, memory.Format)
		case r.Kind != "" && !r.Kind.Known() && r.States():
			tell(e.Line, Note, "kind %q is not known: kept, and taken as text", jsonl.Clip(string(r.Kind)))
		}
		if n := e.MaxID(); n > most {
			const last = memory.MaxID - 1_000_000
			if most = n; n > last {
				tell(e.Line, Doubt, "the number %d: only %d are left, and each new line takes one", n, memory.MaxID-n)
			}
		}
		if r.ID.N == 0 {
			continue
		}
		if i, ok := first[r.ID]; !ok {
			first[r.ID] = len(entries) - 1
		} else if entries[i].Sum == e.Sum {
			tell(e.Line, Note, "the same as line %d", entries[i].Line)
		}
	}
	if n := len(entries); n > 0 && (entries[n-1].Bad == nil || !entries[n-1].Bad.Torn) {
		ended, err := endsLine(l.path)
		if err != nil {
			return entries, findings, fmt.Errorf("read %s: %w", l.path, err)
		}
		if !ended {
			tell(entries[n-1].Line, Note, "the last line has no end; the next write gives it one")
		}
	}
	return entries, findings, nil
}

// endsLine reports whether the file at path is empty or ends with a line end.
func endsLine(path string) (bool, error) {
	f, err := regular.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	if _, err := f.Seek(-1, io.SeekEnd); err != nil {
		return true, nil // an empty file has no last byte
	}
	var b [1]byte
	_, err = f.Read(b[:])
	return b[0] == '\n', err
}

// Identity returns the name under which this device would append to the log; ""
// if neither the log nor the device has a name yet. It adopts the log if that has
// been this machine's before and the machine forgot. The error is
// memory.ErrForeign if the log is another device's. Nothing is written.
func (l *Log) Identity() (name string, adopts bool, err error) {
	r, err := l.open("")
	if err != nil {
		return "", false, fmt.Errorf("read %s: %w", l.path, err)
	}
	defer r.close()
	own, err := l.deviceName()
	if err != nil || own == "" && r.name == "" {
		return "", false, err
	}
	id, err := l.identify(r.name)
	return id.name, id.adopt, err
}

// CheckHead returns why the head file, if there is one, does not describe the log:
// "" if it does. A head that does not costs one slower append and nothing else.
func (l *Log) CheckHead() string {
	if _, err := os.Lstat(l.o.Head); errors.Is(err, fs.ErrNotExist) || l.o.Head == "" {
		return ""
	}
	h := readHead(l.o.Head)
	fi, err := os.Stat(l.path)
	switch {
	case h == (head{}):
		return "damaged"
	case err != nil:
		return "the log that it describes is not there"
	}
	if s, ok := jsonl.StampOf(fi); ok && !h.fits(s) {
		return "the log was changed since by another program"
	}
	return ""
}
