package logs

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"time"

	"ken/internal/config"
	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/memory/filelog"
	"ken/internal/memory/tombstone"
	"ken/internal/review"
)

// Logs are the person's own logs, and what stands beside them: the queue of proposals and
// the list of what was erased. All fields are required; they are asked when a log is
// opened, and not before.
type Logs struct {
	Paths func() config.Paths
	Now   func() time.Time
	Seal  func() (*memory.Seal, error)
	// OnlyRead reports whether nothing is written, and no lock taken.
	OnlyRead func() bool

	own *filelog.Log // nil: not opened yet
}

// MemoryFiles are the files that a memory cannot be without once it has begun.
func MemoryFiles(p config.Paths) filelog.MissingFiles {
	return filelog.MissingFiles{Memory: p.Memory(), Device: p.Device(), Dir: filepath.Dir(p.MemoryLock())}
}

// Missing says that a memory that has begun is without its files: an error of filelog.
func (l *Logs) Missing(ctx context.Context) error {
	if l.OnlyRead() {
		return nil // what is not there is somebody else's to mend
	}
	return filelog.LookMissing(ctx, MemoryFiles(l.Paths()))
}

// PathOf is the path of a log that is a file; "" if it is none.
func PathOf(log memory.Log) string {
	if f, ok := log.(*filelog.Log); ok {
		return f.Path()
	}
	return ""
}

// ReadOnly is the log of this device for who only reads it.
func (l *Logs) ReadOnly() memory.Log {
	return filelog.Open(l.Paths().Memory(), filelog.Options{ReadOnly: true})
}

// Own is the log of this device.
func (l *Logs) Own() *filelog.Log {
	if l.own == nil {
		host, _ := os.Hostname() // a host without a name is filelog's business
		paths := l.Paths()
		l.own = filelog.Open(paths.Memory(), filelog.Options{
			DeviceFile: paths.Device(), Head: paths.Head(), Sketches: engine.Sketches, Host: host, Now: l.Now, Rand: rand.Reader, Seal: l.Seal,
			ReadOnly: l.OnlyRead(),
		})
	}
	return l.own
}

// Replicas are the logs in peers/, by name.
func (l *Logs) Replicas() ([]engine.Replica, error) {
	names, _, err := Peers(l.Paths())
	if err != nil {
		return nil, err
	}
	replicas := make([]engine.Replica, len(names))
	for i, name := range names {
		path := filepath.Join(l.Paths().Peers(), name+".jsonl")
		replicas[i] = engine.Replica{Name: name, Log: filelog.Open(path, filelog.Options{Replica: true, Seal: l.Seal, ReadOnly: l.OnlyRead()})}
	}
	return replicas, nil
}

// Queue is where proposals wait.
func (l *Logs) Queue() *review.Log {
	return &review.Log{Path: l.Paths().Review(), Dir: l.Paths().Data, Now: l.Now}
}

// Erased is the list of what was erased.
func (l *Logs) Erased() *tombstone.Journal {
	return &tombstone.Journal{Path: l.Paths().Erased(), Now: l.Now, Seal: l.Seal}
}

// names are the names of the person's own logs.
func (l *Logs) names(ctx context.Context) (map[string]bool, error) {
	names := make(map[string]bool)
	tip, err := l.Own().Tip(ctx)
	if err != nil {
		return nil, err
	}
	names[tip.Name] = true
	peers, err := l.Replicas()
	for _, p := range peers {
		names[p.Name] = true
	}
	return names, err
}
