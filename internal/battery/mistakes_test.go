package battery

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ken/internal/proctest"

	"ken/internal/engine"
	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/scrub"
)

// Bugs are mistakes that the battery must find.
func Bugs() []Bug {
	disk := func(b broken) func(jsonl.FS) jsonl.FS {
		return func(f jsonl.FS) jsonl.FS { b.FS = f; return b }
	}
	return []Bug{
		{Name: "no sync of files", FS: disk(broken{noSync: true})},
		{Name: "no sync of names", FS: disk(broken{noDirSync: true})},
		{Name: "rename without a sync before", FS: disk(broken{noTempSync: true})},
		{Name: "a failed sync tried again", FS: disk(broken{retry: true})},
		{Name: "no guard before a torn tail", FS: disk(broken{noGuard: true})},
		{Name: "a failed write not taken back", FS: disk(broken{noTruncate: true})},
		{Name: "files that others can read", FS: disk(broken{open: true})},
		{Name: "acknowledged before it is written", Remember: ackFirst},
		{Name: "read, changed and written back", Remember: rewriteAll},
		{Name: "no lock", Remember: noLock()},
		{Name: "numbers counted, not the largest and one more", Remember: countIDs},
		{Name: "a view that knows no tombstones", Views: []View{{"a view of its own", everyText}}},
		{Name: "an erasing that leaves the edit", Erase: eraseFirst},
		{Name: "the queue told before the memory", Accept: queueFirst},
		{Name: "damage not told", Read: func(f *Found) { clear(f.problems) }},
		{Name: "a session written from what was read once", Say: sayAll()},
		{Name: "an erasing that passes over conversations", EraseAll: keepSaid},
		{Name: "an erasing that takes the log first", EraseAll: logFirst},
		{Name: "an erasing whose removals are not synced", FS: disk(broken{noCacheSync: true})},
		{Name: "a rewrite of what was read before the lock", Erase: staleRewrite},
	}
}

// broken is a file system that leaves something out.
type broken struct {
	jsonl.FS
	noSync, noDirSync, noTempSync, retry, noGuard, noTruncate, open, noCacheSync bool
}

// OpenFile implements jsonl.FS.
func (b broken) OpenFile(name string, flag int, perm fs.FileMode) (jsonl.File, error) {
	if b.open {
		perm |= 0o044
	}
	f, err := b.FS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return brokenFile{f, b, name}, nil
}

// Truncate implements jsonl.FS.
func (b broken) Truncate(name string, size int64) error {
	if b.noTruncate {
		return nil
	}
	return b.FS.Truncate(name, size)
}

type brokenFile struct {
	jsonl.File
	b    broken
	name string
}

// Write implements jsonl.File.
func (f brokenFile) Write(p []byte) (int, error) {
	if rest, ok := bytes.CutPrefix(p, []byte("\n")); f.b.noGuard && ok {
		n, err := f.File.Write(rest)
		return n + 1, err
	}
	return f.File.Write(p)
}

// Sync implements jsonl.File.
func (f brokenFile) Sync() error {
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	switch {
	case f.b.noCacheSync && fi.IsDir() && strings.Contains(f.name, "cache"),
		f.b.noSync && !fi.IsDir(), f.b.noDirSync && fi.IsDir(), f.b.noTempSync && strings.HasSuffix(f.name, ".new"):
		return nil
	}
	err = f.File.Sync()
	if err != nil && f.b.retry {
		err = f.File.Sync()
	}
	return err
}

func ackFirst(ctx context.Context, h *Home, l *Ledger, text string) error {
	l.Set(Active, text, Stands)
	_, err := h.Engine().Remember(ctx, engine.Draft{Content: text})
	return err
}

// record is a line that states the text under the number.
func record(n int64, text string) []byte {
	return memory.Record{ID: memory.Num(n), Kind: memory.KindFact, Content: text, Time: time.Unix(1e9, 0)}.AppendJSON(nil)
}

// largest is what the memory's lines name, and how many there are.
func largest(h *Home) (most int64, lines int, err error) {
	err = eachLine(h.Memory(), func(l jsonl.Line) error {
		lines++
		most = max(most, jsonl.LargestNumber(l.Bytes, "id", "target"))
		return nil
	})
	return most, lines, err
}

func rewriteAll(_ context.Context, h *Home, l *Ledger, text string) error {
	return l.Do(Active, text, Stands, Either, func() error {
		old, err := os.ReadFile(h.Memory())
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		most, _, err := largest(h)
		if err != nil {
			return err
		}
		if err := h.FS.Truncate(h.Memory(), 0); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if n := len(old); n > 0 && old[n-1] != '\n' {
			old = append(old, '\n')
		}
		return jsonl.Append(h.FS, h.Memory(), append(append(old, record(most+1, text)...), '\n'), true)
	})
}

// noLock reads the largest number, lets another do the same, and appends.
func noLock() func(ctx context.Context, h *Home, l *Ledger, text string) error {
	var mu sync.Mutex
	turn := make(chan bool)
	return func(_ context.Context, h *Home, l *Ledger, text string) error {
		most, _, err := largest(h)
		if err != nil {
			return err
		}
		select { // two meet here, if there are two
		case turn <- true:
		case <-turn:
		case <-time.After(20 * time.Millisecond):
		}
		mu.Lock() // the bug is the number, not the bytes
		defer mu.Unlock()
		return l.Do(Active, text, Stands, Either, func() error {
			return jsonl.Append(h.FS, h.Memory(), append(record(most+1, text), '\n'), true)
		})
	}
}

func countIDs(ctx context.Context, h *Home, l *Ledger, text string) error {
	lock, err := jsonl.LockDir(ctx, h.Dir, time.Minute)
	if err != nil {
		return err
	}
	_, lines, err := largest(h)
	if err == nil {
		err = l.Do(Active, text, Stands, Either, func() error {
			return jsonl.Append(h.FS, h.Memory(), append(record(int64(lines+1), text), '\n'), true)
		})
	}
	return errors.Join(err, lock.Unlock())
}

func everyText(s *memory.State, _ time.Time) []string {
	var texts []string
	for n := int64(1); n <= s.MaxID(s.OwnLog()); n++ {
		if it, _ := s.Get(memory.Num(n)); it.Record != nil {
			texts = append(texts, it.Record.Content)
		}
	}
	return texts
}

// eraseFirst takes the line that states the item, and leaves those that edit it.
func eraseFirst(_ context.Context, h *Home, id memory.ID) error {
	old, err := os.ReadFile(h.Memory())
	if err != nil {
		return err
	}
	stat, err := os.Stat(h.Memory())
	if err != nil {
		return err
	}
	var kept []string
	for line := range strings.SplitAfterSeq(string(old), "\n") {
		if strings.Contains(line, fmt.Sprintf(`"id":%d,`, id.N)) {
			line = fmt.Sprintf("{\"id\":%d,\"kind\":\"erased\"}\n", id.N)
		}
		kept = append(kept, line)
	}
	return jsonl.Rewrite(h.FS, h.Memory(), stat, func(w io.Writer) error {
		_, err := w.Write([]byte(strings.Join(kept, "")))
		return err
	})
}

// queueFirst notes the yes before the memory has the line.
func queueFirst(ctx context.Context, h *Home, ref string) error {
	var n int64
	if _, err := fmt.Sscanf(ref, "p%d", &n); err != nil {
		return err
	}
	var text string
	err := h.queue().Append(ctx, func(b *review.Queue) (review.Draft, error) {
		text = b.Get(n).Record.Content
		return review.Draft{Decisions: []*review.Decision{{Target: n, Verdict: review.Yes, By: "user"}}}, nil
	})
	if err != nil {
		return err
	}
	log := h.Log()
	tip, err := log.Tip(ctx)
	if err != nil {
		return err
	}
	_, err = log.Append(ctx, tip.At, func([]memory.Entry) ([]memory.Record, error) {
		return []memory.Record{{ID: memory.Num(tip.MaxID + 1), Kind: memory.KindFact, Content: text, By: "user", Review: n, Time: h.Now()}}, nil
	})
	return err
}

// sayAll remembers the file, and writes all of it anew with each turn.
func sayAll() func(path, text string) error {
	var all []byte
	return func(path, text string) error {
		if all == nil {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			all = slices.Clone(b)
		}
		line, err := json.Marshal(map[string]string{"role": "user", "content": text})
		if err != nil {
			return err
		}
		all = append(append(all, line...), '\n')
		temp := filepath.Join(filepath.Dir(path), ".all")
		return errors.Join(os.WriteFile(temp, all, 0o600), os.Rename(temp, path))
	}
}

// keepSaid erases everywhere but in conversations.
func keepSaid(ctx context.Context, h *Home, id memory.ID) error {
	e, err := h.Eraser()
	if err != nil {
		return err
	}
	p, err := e.Plan(ctx, scrub.Want{IDs: []memory.ID{id}, KeepSessions: true})
	if err != nil {
		return err
	}
	return e.Run(ctx, p)
}

// logFirst takes the text out of the log, and then out of everything else.
func logFirst(ctx context.Context, h *Home, id memory.ID) error {
	e, err := h.Eraser()
	if err != nil {
		return err
	}
	p, err := e.Plan(ctx, scrub.Want{IDs: []memory.ID{id}})
	if err != nil {
		return err
	}
	if _, err := h.Log().Erase(ctx, id); err != nil {
		return err
	}
	return e.Run(ctx, p)
}

// staleRewrite reads the log, and writes it anew under the lock, which it takes
// later; what was appended in between is gone. So a mask or a scan that rewrites
// would.
func staleRewrite(ctx context.Context, h *Home, id memory.ID) error {
	old, err := os.ReadFile(h.Memory())
	if err != nil {
		return err
	}
	var kept []string
	for line := range strings.SplitAfterSeq(string(old), "\n") {
		if !strings.Contains(line, fmt.Sprintf(`"id":%d,`, id.N)) {
			kept = append(kept, line)
		}
	}
	proctest.Within(time.Second, func() bool { // another one appends, if there is another
		fi, err := os.Stat(h.Memory())
		return err != nil || fi.Size() > int64(len(old))
	})
	lock, err := jsonl.LockDir(ctx, h.Dir, time.Minute)
	if err != nil {
		return err
	}
	stat, err := os.Stat(h.Memory())
	if err == nil {
		err = jsonl.Rewrite(h.FS, h.Memory(), stat, func(w io.Writer) error {
			_, err := w.Write([]byte(strings.Join(kept, "")))
			return err
		})
	}
	return errors.Join(err, lock.Unlock())
}
