package usage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"time"

	"ken/internal/jsonl"
	"ken/internal/regular"
)

// The parameters of the file.
const (
	// Wait is how long a flush waits for the lock.
	Wait = 200 * time.Millisecond
	// Grain is how exact a time is: a use so soon after the last one is not noted.
	Grain = time.Hour
	// MaxSize is how long the file gets, in bytes, before it is rewritten: a year
	// of use takes about as much.
	MaxSize = 256 << 10
	// mostRead is the longest file that is rewritten, in bytes; a longer one is
	// left as it is.
	mostRead = 64 << 20
	// maxCount is the most that is counted of one memory.
	maxCount = 1_000_000
	// maxLine is the longest line that is read, in bytes.
	maxLine = 1 << 20
)

// A Book is the file of one data directory, and what was not written to it yet. The
// zero time is that of what was never used. It is not safe for concurrent use.
type Book struct {
	Path string           // usage.jsonl
	Dir  string           // the directory whose lock every append takes
	Now  func() time.Time // required
	FS   jsonl.FS         // nil stands for jsonl.OS

	loaded  bool
	file    *kept // what it said when it was read
	noted   *kept // what came about in this run
	pending *kept // what of that is not written
}

// A use is when a memory was last used, and how often until then.
type use struct {
	at time.Time
	n  int
}

// Last tells when a memory was last used, as far as the file said when it was
// first asked for: what is used meanwhile changes no order within a run.
func (b *Book) Last(ref string) time.Time {
	b.load()
	return b.file.used[ref].at
}

// Latest is Last with what was noted since, of which not all may be written.
func (b *Book) Latest(ref string) time.Time {
	return later(b.Last(ref), b.noted.used[ref].at)
}

// Count tells how often a memory was used, as Last tells when: at most once an hour
// counts.
func (b *Book) Count(ref string) int {
	b.load()
	return b.file.used[ref].n
}

// Refs are the references that Last knows a time of, in no order.
func (b *Book) Refs() []string {
	b.load()
	return slices.Collect(maps.Keys(b.file.used))
}

// load reads the file, once. What cannot be read was never used.
func (b *Book) load() {
	if b.loaded {
		return
	}
	b.loaded, b.file, b.noted, b.pending = true, newKept(), newKept(), newKept()
	f, err := regular.Open(b.Path)
	if err != nil {
		return
	}
	read(f, b.file)
	_ = f.Close() // it was only read
}

// read puts what the lines of r say into k.
func read(r io.Reader, k *kept) {
	for line, err := range jsonl.Lines(r, maxLine) {
		if err != nil {
			return
		}
		fields, _, err := jsonl.Fields(line.Bytes, nil)
		if err != nil {
			continue
		}
		var at time.Time
		var refs, sent, seen []string
		n := int64(1)
		for _, f := range fields {
			switch string(f.Name) {
			case "ts":
				at, _ = f.Value.Time()
			case "refs":
				refs, _ = f.Value.Texts()
			case "sent":
				sent, _ = f.Value.Texts()
			case "seen":
				seen, _ = f.Value.Texts()
			case "n":
				if n, _ = f.Value.Int(); n < 1 || n > maxCount {
					n = 1
				}
			}
		}
		if at.IsZero() {
			continue
		}
		for _, ref := range refs {
			u := k.used[ref]
			if u.n = min(u.n+int(n), maxCount); at.After(u.at) {
				u.at = at
			}
			k.used[ref] = u
		}
		for _, ref := range sent {
			k.sent[ref] = later(k.sent[ref], at)
		}
		for _, key := range seen {
			k.see(key, at)
		}
	}
}

// Use notes that memories were of use now.
func (b *Book) Use(refs ...string) {
	if len(refs) == 0 {
		return
	}
	b.load()
	now := b.Now().UTC().Truncate(time.Second)
	for _, ref := range refs {
		if now.Sub(b.Latest(ref)) >= Grain {
			u := use{now, b.pending.used[ref].n + 1}
			b.noted.used[ref], b.pending.used[ref] = u, u
		}
	}
}

// Flush writes what was noted. After an error it is still noted, for the next
// flush; the error is for who wants to know, and is no reason to stop.
func (b *Book) Flush(ctx context.Context) (err error) {
	if b.pending.empty() {
		return nil
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("the use of memories is not noted: %w", err)
		}
	}()
	lock, err := jsonl.LockDir(ctx, b.Dir, Wait)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	files := b.FS
	if files == nil {
		files = jsonl.OS{}
	}
	if err := jsonl.Append(files, b.Path, b.pending.lines(), false); err != nil {
		return err
	}
	b.pending = newKept()
	return b.shorten(files)
}

// shorten rewrites a file that has become long, with the last use of each memory.
func (b *Book) shorten(files jsonl.FS) error {
	old, err := os.Stat(b.Path)
	if err != nil || old.Size() <= MaxSize {
		return err
	}
	text, err := regular.Read(b.Path, mostRead)
	if err != nil {
		return err
	}
	all := newKept()
	read(bytes.NewReader(text), all)
	kept := all.lines()
	if len(kept) > len(text)/2 {
		return nil // it is that many memories, and no repetition
	}
	return jsonl.Rewrite(files, b.Path, old, func(w io.Writer) error {
		_, err := w.Write(kept)
		return err
	})
}
