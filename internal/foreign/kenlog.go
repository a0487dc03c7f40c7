package foreign

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"ken/internal/jsonl"
	"ken/internal/memory"
)

// isKenLog reports whether the first line is one of a log of ken's: its header, or
// a record with a number and a time.
func isKenLog(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	e := memory.ParseLine(line)
	switch {
	case e.Bad != nil:
		return false
	case e.Meta != nil:
		return e.Meta.Log != ""
	}
	return e.Record.ID.N > 0 && !e.Record.Time.IsZero()
}

var errLongLine = fmt.Errorf("a line longer than %d MiB", memory.MaxLine>>20)

// kenLog reads a log of ken's that is none of this memory: a copy that a program
// that syncs made, a backup, an export. What is active in it is suggested, and
// nothing that was forgotten there. Its numbers mean nothing here.
func (rd *reader) kenLog() {
	lines := memory.Lines{Log: "imported", Own: true}
	for line, err := range jsonl.Lines(rd.r, memory.MaxLine) {
		if err != nil {
			rd.end(fmt.Errorf("read: %w", err))
			return
		}
		rd.at.Line, rd.at.Offset = line.Number, line.Offset
		if line.Bytes == nil {
			rd.bad(errLongLine)
			continue
		}
		e := memory.ParseLine(bytes.Clone(line.Bytes))
		e.Line = line.Number
		if e.Bad != nil {
			rd.bad(e.Bad.Cause)
		}
		lines.Entries = append(lines.Entries, e)
	}
	for _, it := range slices.Backward(memory.Fold(lines).Items()) { // the oldest first
		r := it.Record
		c := Candidate{Line: it.Line, Why: rd.why(r.Time, "a log of ken")}
		c.Record = memory.Record{
			Kind: r.Kind, Content: r.Content, Key: r.Key, Scope: cmp.Or(r.Scope, memory.ScopeUser), Tags: r.Tags, Importance: r.Importance, Pinned: it.Pinned, Origin: memory.OriginImport,
		}
		if it.Origin == memory.OriginExternal {
			c.Record.Origin = memory.OriginExternal
		}
		if d := r.Detail; d != nil {
			c.Record.Detail = &memory.Detail{
				Tier: d.Tier, Expires: d.Expires, ValidFrom: d.ValidFrom, ValidTo: d.ValidTo, Subtype: d.Subtype, Match: d.Match, Unless: d.Unless, Raise: d.Raise,
			}
		}
		rd.at.Line = it.Line
		made, err := rd.made(c)
		if err != nil {
			rd.bad(err)
			continue
		}
		rd.give(Entry{Candidates: []Candidate{made}})
	}
}
