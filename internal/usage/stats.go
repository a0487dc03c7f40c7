package usage

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"ken/internal/jsonl"
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

// Stats is the file of one data directory, and what was not written to it yet. The
// zero time is that of what was never used. It is safe for concurrent use.
type Stats struct {
	Path string           // usage.jsonl
	Dir  string           // the directory whose lock every append takes
	Now  func() time.Time // required
	FS   jsonl.FS         // nil stands for jsonl.OS

	mu      sync.Mutex // guards what follows; it is not held while the file is written
	loaded  bool
	since   time.Time // when the file was read
	file    *kept     // what it said when it was read
	noted   *kept     // what came about in this run
	pending *kept     // what of that is not written
}

// A use is when a memory was last used, and how often until then.
type use struct {
	at time.Time
	n  int
}

// Last returns when a memory was last used, as far as the file said when it was
// first asked for: what is used meanwhile changes no order within a run.
func (b *Stats) Last(ref string) time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.load()
	return b.file.used[ref].at
}

// Latest is Last with what was noted since, of which not all may be written.
func (b *Stats) Latest(ref string) time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.load()
	return b.latest(ref)
}

// latest is Latest; b is locked.
func (b *Stats) latest(ref string) time.Time { return later(b.file.used[ref].at, b.noted.used[ref].at) }

// Count returns how often a memory was used, as Last returns when: at most once an hour
// counts.
func (b *Stats) Count(ref string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.load()
	return b.file.used[ref].n
}

// Since returns up to when Last knows of uses: when the file was read.
func (b *Stats) Since() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.load()
	return b.since
}

// mostBefore is how many answers Before has at most.
const mostBefore = 16

// Before returns when memories were last used, as the file may have said it within that
// second: with none of the lines of that second, with the first of them, and so on. What
// cannot be read was never used.
func (b *Stats) Before(at time.Time) (last []func(ref string) time.Time) {
	k := newKept()
	note := func() {
		known := maps.Clone(k.used)
		last = append(last, func(ref string) time.Time { return known[ref].at })
	}
	for r, err := range b.journal().Records() {
		if err != nil || len(last) == mostBefore {
			break
		}
		if r.Err != nil || len(r.Value.refs) == 0 || r.Value.at.Unix() > at.Unix() {
			continue
		}
		if r.Value.at.Unix() == at.Unix() {
			note()
		}
		k.take(r.Value)
	}
	note()
	return last
}

// Refs returns the references that Last knows a time of, in no order.
func (b *Stats) Refs() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.load()
	return slices.Collect(maps.Keys(b.file.used))
}

// load reads the file, once. What cannot be read was never used. b is locked.
func (b *Stats) load() {
	if b.loaded {
		return
	}
	b.loaded, b.noted, b.pending = true, newKept(), newKept()
	b.since = b.Now()
	b.file, _ = b.read()
}

// read is what the lines of the file say, as far as they can be read.
func (b *Stats) read() (*kept, error) {
	k := newKept()
	for r, err := range b.journal().Records() {
		if err != nil {
			return k, err
		}
		if r.Err == nil {
			k.take(r.Value)
		}
	}
	return k, nil
}

func (b *Stats) journal() *jsonl.Journal[line] {
	return &jsonl.Journal[line]{
		Path: b.Path, Name: "the use of memories", Dir: b.Dir, Wait: Wait, Max: maxLine, Lazy: true, FS: b.FS,
		Parse: parseLine, Encode: appendLine,
	}
}

// Use notes that memories were of use now.
func (b *Stats) Use(refs ...string) {
	if len(refs) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.load()
	now := b.Now().UTC().Truncate(time.Second)
	for _, ref := range refs {
		if now.Sub(b.latest(ref)) >= Grain {
			u := use{now, b.pending.used[ref].n + 1}
			b.noted.used[ref], b.pending.used[ref] = u, u
		}
	}
}

// Flush writes what was noted. After an error it is still noted, for the next
// flush; the error is for who wants to know, and is no reason to stop.
func (b *Stats) Flush(ctx context.Context) error {
	b.mu.Lock()
	noted := b.pending
	if noted.empty() {
		b.mu.Unlock()
		return nil
	}
	b.pending = newKept()
	b.mu.Unlock()
	err := b.journal().Add(ctx, noted.lines()...)
	if err == nil {
		err = b.shorten(ctx)
	} else {
		b.mu.Lock()
		for _, l := range noted.lines() {
			b.pending.take(l)
		}
		b.mu.Unlock()
	}
	if err != nil {
		return fmt.Errorf("the use of memories is not noted: %w", err)
	}
	return nil
}

// shorten rewrites a file that has become long, with the last use of each memory.
func (b *Stats) shorten(ctx context.Context) error {
	if old, err := os.Stat(b.Path); err != nil || old.Size() <= MaxSize || old.Size() > mostRead {
		return err
	}
	_, err := b.journal().Edit().Bytes(ctx, func(old []byte) ([]byte, error) {
		all, err := b.read()
		if err != nil {
			return nil, err
		}
		var short []byte
		for _, l := range all.lines() {
			short = append(appendLine(short, l), '\n')
		}
		if len(short) > len(old)/2 {
			return old, nil // it is that many memories, and no repetition
		}
		return short, nil
	})
	return err
}
