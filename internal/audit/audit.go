package audit

import (
	"context"
	"fmt"
	"time"

	"ken/internal/jsonl"
)

// wait is how long to wait for others that write: an account is no reason to keep a
// person waiting.
const wait = 200 * time.Millisecond

// A Book is the file of one data directory.
type Book struct {
	Path string           // audit.jsonl
	Dir  string           // the directory whose lock every append takes
	Now  func() time.Time // required
	FS   jsonl.FS         // nil: the machine's
}

// An Entry is one act. Fields that are empty are left out.
type Entry struct {
	Act     string   // what was done: compact, archive, approve, ...
	By      string   // on whose word: a policy, a setting; empty: ken's own rules
	Session string   // its id
	Refs    []string // what it was done to
	Lines   []string // of the memory, that did it: undo takes them back
	Hash    string   // of what was allowed, where that is a text
	Level   string   // of a command: safe, caution or danger
	Count   int      // of what has no reference of its own
}

// Append adds entries, in one write. It does not wait for the disk.
func (b Book) Append(ctx context.Context, entries ...Entry) error {
	if len(entries) == 0 {
		return nil
	}
	now := b.Now().UTC().Truncate(time.Second)
	var data []byte
	for _, e := range entries {
		data = append(data, '{')
		data = jsonl.AppendField(data, "ts", &now)
		data = jsonl.AppendField(data, "act", &e.Act)
		data = jsonl.AppendField(data, "by", &e.By)
		data = jsonl.AppendField(data, "session", &e.Session)
		data = jsonl.AppendField(data, "refs", &e.Refs)
		data = jsonl.AppendField(data, "lines", &e.Lines)
		data = jsonl.AppendField(data, "hash", &e.Hash)
		data = jsonl.AppendField(data, "level", &e.Level)
		data = jsonl.AppendField(data, "count", &e.Count)
		data = append(data, '}', '\n')
	}
	return b.Write(ctx, data, wait)
}

// Write adds whole lines that somebody else made, with their ends, and waits so long
// for others that write.
func (b Book) Write(ctx context.Context, data []byte, wait time.Duration) error {
	lock, err := jsonl.LockDir(ctx, b.Dir, wait)
	if err != nil {
		return fmt.Errorf("write the audit: %w", err)
	}
	defer func() { _ = lock.Unlock() }()
	sys := b.FS
	if sys == nil {
		sys = jsonl.OS{}
	}
	if err := jsonl.Append(sys, b.Path, data, false); err != nil {
		return fmt.Errorf("write the audit: %w", err)
	}
	return nil
}
