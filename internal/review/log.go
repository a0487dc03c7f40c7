package review

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"ken/internal/jsonl"
	"ken/internal/memory"
)

// A Log is the file of lines. It is safe for use by several processes; one
// value is not for several goroutines.
type Log struct {
	Path string
	Dir  string           // whose lock is taken for every append
	Wait time.Duration    // for that lock; 0: 5 s
	Now  func() time.Time // required for Append
	FS   jsonl.FS         // nil: the machine's
}

func (l *Log) journal() *jsonl.Journal[entry] {
	return &jsonl.Journal[entry]{
		Path: l.Path, Name: "the review queue", Dir: l.Dir, Wait: l.Wait, Max: MaxLine, FS: l.FS,
		Parse: parseLine, Encode: appendLine,
	}
}

// Read returns what the file says. A missing file says nothing.
func (l *Log) Read() (*Queue, error) {
	lines, err := l.journal().Read()
	if err != nil {
		return nil, err
	}
	return fold(lines), nil
}

// A Draft is what an append adds: proposals, decisions and undos, which get their
// numbers and the time in this order.
type Draft struct {
	Proposals []*Proposal
	Decisions []*Decision
	Undos     []*Undo
	// Above is a number that is spent, whatever the file says: a memory may name
	// proposals of a queue that was deleted or set back since.
	Above int64
}

// Append adds what plan makes of the queue, durably, while nobody else can append:
// all or nothing. plan must not append itself, and may be called again when an editor
// got in between. What was added has its number when Append returns. An empty draft adds nothing.
func (l *Log) Append(ctx context.Context, plan func(*Queue) (Draft, error)) error {
	return l.journal().Append(ctx, func(lines []jsonl.Record[entry]) ([]entry, error) {
		queue := fold(lines)
		d, err := plan(queue)
		if err != nil {
			return nil, err
		}
		return l.number(d, queue.most)
	})
}

// number gives what a draft adds its numbers, above most, and the time.
func (l *Log) number(d Draft, most int64) (list []entry, err error) {
	next, now := max(most, d.Above), l.Now().UTC().Truncate(time.Second)
	number := func(id *int64, at *time.Time) { next++; *id, *at = next, now }
	for _, p := range d.Proposals {
		if number(&p.ID, &p.Time); p.Hash == "" {
			p.Hash = Hash(&p.Record)
		}
		list = append(list, entry{proposal: p})
	}
	for _, x := range d.Decisions {
		if number(&x.ID, &x.Time); x.Proposal != nil {
			x.Target = x.Proposal.ID
		}
		list = append(list, entry{decision: x})
	}
	for _, u := range d.Undos {
		number(&u.ID, &u.Time)
		list = append(list, entry{undo: u})
	}
	if len(list) > 0 && next > memory.MaxID {
		return nil, fmt.Errorf("append to the review queue %s: all numbers up to %d are spent", l.Path, memory.MaxID)
	}
	return list, nil
}

// Erase leaves nothing but the numbers of the proposals that gone chooses, and
// takes away the lines that cannot be read whose bytes suspect chooses. All other
// bytes stay as they are. It returns how many lines it changed. The caller holds
// the lock of Dir.
func (l *Log) Erase(ctx context.Context, gone func(*Proposal) bool, suspect func([]byte) bool) (int, error) {
	return l.change(ctx, "erase from", jsonl.Edit{}, func(r jsonl.Record[entry], line []byte) ([]byte, bool) {
		switch id := r.Value.most; {
		case r.Err == nil && r.Value.proposal != nil && gone(r.Value.proposal):
			return appendLine(nil, entry{erased: r.Value.proposal.ID}), true
		case r.Err == nil || !suspect(line):
			return nil, false
		case id > 0: // the number stays spent
			return appendLine(nil, entry{erased: id}), true
		}
		return nil, true
	})
}

// change changes lines, blank ones left out, as e and jsonl.EachLine say.
func (l *Log) change(ctx context.Context, what string, e jsonl.Edit, to func(r jsonl.Record[entry], line []byte) ([]byte, bool)) (int, error) {
	j := l.journal()
	e.Path, e.FS, e.Max = l.Path, l.FS, MaxLine
	changed, err := e.Lines(ctx, func(line jsonl.Line, within *io.SectionReader) ([]byte, bool, error) {
		text := line.Bytes
		if text == nil && line.Len > 0 {
			var err error
			if text, err = io.ReadAll(within); err != nil {
				return nil, false, err
			}
		}
		if len(bytes.TrimSpace(text)) == 0 {
			return nil, false, nil
		}
		now, changed := to(j.Record(line), text)
		return now, changed, nil
	})
	if err != nil {
		return 0, fmt.Errorf("%s the review queue %s: %w", what, l.Path, err)
	}
	return changed, nil
}
