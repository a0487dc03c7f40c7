package audit

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"time"

	"ken/internal/jsonl"
)

// Log is the file of one data directory.
type Log struct {
	Path string           // audit.jsonl
	Dir  string           // the directory whose lock every append takes
	Now  func() time.Time // required to write entries without a time
	FS   jsonl.FS         // nil: the machine's
	// Wait is for that lock; 0: a fifth of a second. An account is no reason to keep a
	// person waiting.
	Wait time.Duration
}

// An Entry is one act. Fields that are empty are left out.
type Entry struct {
	Time     time.Time // zero: now
	Act      string    // what was done: compact, archive, run, ...
	By       string    // on whose word: a policy, a setting; empty: ken's own rules
	How      string    // of a command: what let it run, or did not
	Hash     string    // of what was allowed, where that is a text
	Level    string    // of a command: safe, caution or danger
	Command  string    // its hash
	Keyed    bool      // the hash is sealed, as memory.Seal does
	Approval int64     // by which it ran, or which was given or taken back
	Lane     string    // in which it ran: "user" or "model"
	Session  string    // its id
	Refs     []string  // what it was done to
	Lines    []string  // of the memory, that did it: undo takes them back
	Count    int       // of what has no reference of its own
}

// An entryField is a field on a line, in the order of the lines.
type entryField struct {
	name  string
	place any
}

func (e *Entry) fields() []entryField {
	return []entryField{
		{"ts", &e.Time},
		{"act", &e.Act},
		{"by", &e.By},
		{"how", &e.How},
		{"hash", &e.Hash},
		{"level", &e.Level},
		{"cmd", &e.Command},
		{"keyed", &e.Keyed},
		{"approval", &e.Approval},
		{"lane", &e.Lane},
		{"session", &e.Session},
		{"refs", &e.Refs},
		{"lines", &e.Lines},
		{"count", &e.Count},
	}
}

func appendEntry(dst []byte, e Entry) []byte {
	dst = append(dst, '{')
	for _, f := range e.fields() {
		dst = jsonl.AppendField(dst, f.name, f.place)
	}
	return append(dst, '}')
}

// parseEntry reads a line. A value of the wrong type reads as none.
func parseEntry(line []byte) (e Entry, err error) {
	fields, _, err := jsonl.Fields(line, nil)
	if err != nil {
		return e, err
	}
	known := e.fields()
	for _, f := range fields {
		for _, k := range known {
			if k.name == string(f.Name) {
				set(k.place, f.Value)
			}
		}
	}
	return e, nil
}

// set puts a value into its place.
func set(place any, v jsonl.Value) {
	switch p := place.(type) {
	case *string:
		*p, _ = v.Text()
	case *bool:
		*p, _ = v.Bool()
	case *int64:
		*p, _ = v.Int()
	case *int:
		n, _ := v.Int()
		*p = int(n)
	case *[]string:
		*p, _ = v.Texts()
	case *time.Time:
		*p, _ = v.Time()
	}
}

func (b Log) journal() *jsonl.Journal[Entry] {
	return &jsonl.Journal[Entry]{
		Path: b.Path, Name: "the audit", Dir: b.Dir, Wait: cmp.Or(b.Wait, 200*time.Millisecond), Lazy: true, FS: b.FS,
		Parse: parseEntry, Encode: appendEntry,
	}
}

// Append adds entries, in one write. It does not wait for the disk.
func (b Log) Append(ctx context.Context, entries ...Entry) error {
	list := slices.Clone(entries)
	for i := range list {
		if list[i].Time.IsZero() {
			list[i].Time = b.Now()
		}
		list[i].Time = list[i].Time.UTC().Truncate(time.Second)
	}
	return b.journal().Add(ctx, list...)
}

// Entries yields what the lines say; those that cannot be read are left out. An error
// is that of the file, and the last.
func (b Log) Entries() iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for r, err := range b.journal().Records() {
			if (r.Err == nil || err != nil) && !yield(r.Value, err) {
				return
			}
		}
	}
}
