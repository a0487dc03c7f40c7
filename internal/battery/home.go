package battery

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"ken/internal/engine"
	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/memory/filelog"
	"ken/internal/memory/tombstone"
	"ken/internal/recall"
	"ken/internal/redact"
	"ken/internal/review"
	"ken/internal/session"
)

// A Home is the files of one person, and the process that uses them: a copy of a
// Home with another FS is another process.
type Home struct {
	Dir string
	FS  jsonl.FS
	Now func() time.Time
	// Rand names conversations; nil: as ken does. A sweep has one that says the same
	// each time, so that equal states are known as equal.
	Rand io.Reader
	Bug  Bug
}

// NewHome returns a Home in dir on a file system without faults.
func NewHome(dir string) *Home {
	return &Home{Dir: dir, FS: Unsynced{}, Now: Clock()}
}

// Clock returns a clock that goes on by a second each time it is asked.
func Clock() func() time.Time {
	var asked atomic.Int64
	start := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	return func() time.Time { return start.Add(time.Duration(asked.Add(1)) * time.Second) }
}

// Memory is the path of the memory's log.
func (h *Home) Memory() string { return filepath.Join(h.Dir, "memory.jsonl") }

// Review is the path of the queue.
func (h *Home) Review() string { return filepath.Join(h.Dir, "review.jsonl") }

// Log opens the memory's log anew.
func (h *Home) Log() *filelog.Log {
	return filelog.Open(h.Memory(), filelog.Options{
		DeviceFile: filepath.Join(h.Dir, "device.json"),
		Head:       filepath.Join(h.Dir, "cache", "head"),
		Sketches:   engine.Sketches,
		Host:       "laptop",
		Now:        h.Now,
		Rand:       bytes.NewReader([]byte{0x7f, 0x3a}),
		FS:         h.FS,
		Seal:       sealed,
	})
}

// Engine opens the memory and its queue anew.
func (h *Home) Engine() *engine.Writer {
	return engine.New(engine.Options{
		Own: h.Log(), Mask: redact.New(make([]byte, redact.KeySize)).Mask, Now: h.Now,
		Queue: h.queue(), Replicas: h.replicas(),
		Erased: &tombstone.Journal{Path: filepath.Join(h.Dir, "erased.jsonl"), Now: h.Now, FS: h.FS, Seal: sealed},
	}).As(engine.Actor{Kind: engine.Person})
}

// peers are the paths of the logs of other devices.
func (h *Home) peers() []string {
	paths, _ := filepath.Glob(filepath.Join(h.Dir, "peers", "*.jsonl")) // the pattern is good
	return paths
}

func (h *Home) replicas() []engine.Replica {
	var list []engine.Replica
	for _, path := range h.peers() {
		log := filelog.Open(path, filelog.Options{Replica: true, FS: h.FS, Seal: sealed})
		list = append(list, engine.Replica{Name: stem(path), Log: log})
	}
	return list
}

// stem is the name of a file of lines without its suffix.
func stem(path string) string { return strings.TrimSuffix(filepath.Base(path), ".jsonl") }

func (h *Home) queue() *review.Log {
	return &review.Log{Path: h.Review(), Dir: h.Dir, Now: h.Now, FS: h.FS}
}

// Sessions is the directory of conversations. With lines, every line is on the
// disk before it is acknowledged.
func (h *Home) Sessions(lines bool) session.Dir {
	return session.Dir{
		Path: filepath.Join(h.Dir, "sessions"), Lock: h.Dir, Run: filepath.Join(h.Dir, "run"),
		Now: h.Now, Rand: h.Rand, FS: h.FS, SyncLines: lines,
	}
}

// with is the same home on another file system: the process after this one.
func (h *Home) with(dir string, fs jsonl.FS) *Home {
	next := *h
	next.Dir, next.FS = dir, fs
	return &next
}

// bugged is f as the bug of the home, if any, has it.
func (h *Home) bugged(f jsonl.FS) jsonl.FS {
	if h.Bug.FS != nil {
		return h.Bug.FS(f)
	}
	return f
}

// A View is one way in which a person or a model gets to see memories.
type View struct {
	Name string
	// Texts are the memories that it shows.
	Texts func(s *memory.State, now time.Time) []string
}

// views are all of them, the ones of the bug among them.
func (h *Home) views() []View {
	list := []View{
		{"the list", func(s *memory.State, _ time.Time) []string { return contents(s.Items()) }},
		{"the prompt", func(s *memory.State, now time.Time) []string {
			choice := recall.Background(s.Items(), recall.Query{At: now, Tokens: 1 << 20})
			texts := make([]string, len(choice.Chosen))
			for i, p := range choice.Chosen {
				texts[i] = p.Item.Record.Content
			}
			return texts
		}},
	}
	return append(list, h.Bug.Views...)
}

func contents(items []memory.Item) []string {
	texts := make([]string, len(items))
	for i, it := range items {
		texts[i] = it.Record.Content
	}
	return texts
}

// find returns the active memory with the text.
func find(ctx context.Context, e *engine.Writer, text string) (memory.ID, bool, error) {
	s, err := e.State(ctx)
	if s == nil {
		return memory.ID{}, false, err
	}
	for _, it := range s.Items() {
		if it.Record.Content == text {
			return it.ID, true, nil
		}
	}
	return memory.ID{}, false, nil
}

// Unsynced is the machine's file system without waiting for a disk.
type Unsynced struct{ jsonl.OS }

// OpenFile implements jsonl.FS.
func (u Unsynced) OpenFile(name string, flag int, perm os.FileMode) (jsonl.File, error) {
	f, err := u.OS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return unsynced{f}, nil
}

type unsynced struct{ jsonl.File }

// Sync implements jsonl.File.
func (unsynced) Sync() error { return nil }

// copyTree copies the files below from to the directory to.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if e.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o700)
		}
		return copyFile(path, filepath.Join(to, rel))
	})
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // it was only read
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		_ = out.Close() // the other error is the one to report
		return err
	}
	return out.Close()
}

// sealed gives the seal of the sums that are written.
func sealed() (*memory.Seal, error) { return memory.NewSeal(make([]byte, redact.KeySize)), nil }
