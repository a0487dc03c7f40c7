package usage

import (
	"bytes"
	"cmp"
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

	last    map[string]use       // what the file said; nil until it was read
	noted   map[string]time.Time // what was used in this run
	pending map[string]use       // what of that is not written
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
	return b.last[ref].at
}

// Latest is Last with what was noted since, of which not all may be written.
func (b *Book) Latest(ref string) time.Time {
	if at := b.noted[ref]; at.After(b.Last(ref)) {
		return at
	}
	return b.Last(ref)
}

// Count tells how often a memory was used, as Last tells when: at most once an hour
// counts.
func (b *Book) Count(ref string) int {
	b.load()
	return b.last[ref].n
}

// Refs are the references that Last knows a time of, in no order.
func (b *Book) Refs() []string {
	b.load()
	return slices.Collect(maps.Keys(b.last))
}

// load reads the file, once. What cannot be read was never used.
func (b *Book) load() {
	if b.last != nil {
		return
	}
	b.last = make(map[string]use)
	f, err := regular.Open(b.Path)
	if err != nil {
		return
	}
	read(f, b.last)
	_ = f.Close() // it was only read
}

// read puts what the lines of r say into last.
func read(r io.Reader, last map[string]use) {
	for line, err := range jsonl.Lines(r, maxLine) {
		if err != nil {
			return
		}
		fields, _, err := jsonl.Fields(line.Bytes, nil)
		if err != nil {
			continue
		}
		var at time.Time
		var refs []string
		n := int64(1)
		for _, f := range fields {
			switch string(f.Name) {
			case "ts":
				at, _ = f.Value.Time()
			case "refs":
				refs, _ = f.Value.Texts()
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
			u := last[ref]
			if u.n = min(u.n+int(n), maxCount); at.After(u.at) {
				u.at = at
			}
			last[ref] = u
		}
	}
}

// Use notes that memories were of use now.
func (b *Book) Use(refs ...string) {
	if len(refs) == 0 {
		return
	}
	b.load()
	if b.noted == nil {
		b.noted, b.pending = make(map[string]time.Time), make(map[string]use)
	}
	now := b.Now().UTC().Truncate(time.Second)
	for _, ref := range refs {
		before := b.last[ref].at
		if at := b.noted[ref]; at.After(before) {
			before = at
		}
		if now.Sub(before) >= Grain {
			b.noted[ref], b.pending[ref] = now, use{now, b.pending[ref].n + 1}
		}
	}
}

// Flush writes what was noted. After an error it is still noted, for the next
// flush; the error is for who wants to know, and is no reason to stop.
func (b *Book) Flush(ctx context.Context) (err error) {
	if len(b.pending) == 0 {
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
	if err := jsonl.Append(files, b.Path, lines(b.pending), false); err != nil {
		return err
	}
	clear(b.pending)
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
	last := make(map[string]use)
	read(bytes.NewReader(text), last)
	kept := lines(last)
	if len(kept) > len(text)/2 {
		return nil // it is that many memories, and no repetition
	}
	return jsonl.Rewrite(files, b.Path, old, func(w io.Writer) error {
		_, err := w.Write(kept)
		return err
	})
}

// lines are the lines that say so: one for each time and number, oldest first, of at
// most so many references.
func lines(uses map[string]use) []byte {
	const most = 1000
	same := make(map[use][]string)
	for _, ref := range slices.Sorted(maps.Keys(uses)) {
		same[uses[ref]] = append(same[uses[ref]], ref)
	}
	var b []byte
	for _, u := range slices.SortedFunc(maps.Keys(same), func(a, b use) int { return cmp.Or(a.at.Compare(b.at), a.n-b.n) }) {
		for refs := range slices.Chunk(same[u], most) {
			b = jsonl.AppendField(append(b, '{'), "ts", &u.at)
			b = jsonl.AppendField(b, "refs", &refs)
			if u.n > 1 {
				b = jsonl.AppendField(b, "n", &u.n)
			}
			b = append(b, '}', '\n')
		}
	}
	return b
}
