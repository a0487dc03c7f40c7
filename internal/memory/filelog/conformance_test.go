package filelog

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ken/internal/memory"
	"ken/internal/memory/logtest"
)

// options are what a log of this device is opened with, with its files in dir.
func options(dir string) Options {
	return Options{
		DeviceFile: filepath.Join(dir, "device.json"),
		Head:       filepath.Join(dir, "cache", "head"),
		Host:       "Laptop.example.org",
		Now:        func() time.Time { return time.Date(2026, 5, 13, 19, 0, 0, 0, time.UTC) },
		Rand:       rand.Reader,
	}
}

// openIn opens memory.jsonl in dir.
func openIn(dir string) *Log { return Open(filepath.Join(dir, "memory.jsonl"), options(dir)) }

// again opens the log of l as another process would.
func again(t *testing.T, l memory.Log) memory.Log {
	t.Helper()
	own, ok := l.(*Log)
	if !ok {
		t.Fatalf("a %T", l)
	}
	return Open(own.path, own.o)
}

// typed puts text at the end of the file, as echo >> does.
func typed(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	insert := func(t *testing.T, l memory.Log, line string) {
		t.Helper()
		own, ok := l.(*Log)
		if !ok {
			t.Fatalf("a %T", l)
		}
		typed(t, own.path, line+"\n")
	}
	t.Run("WithHead", func(t *testing.T) {
		t.Parallel()
		logtest.RunHooks(t, logtest.Hooks{
			Open:   func(t *testing.T) memory.Log { return openIn(t.TempDir()) },
			Second: again,
			Insert: insert,
		})
	})
	t.Run("WithoutHead", func(t *testing.T) {
		t.Parallel()
		logtest.RunHooks(t, logtest.Hooks{
			Open: func(t *testing.T) memory.Log {
				l := openIn(t.TempDir())
				l.o.Head = ""
				return l
			},
			Second: again,
			Insert: insert,
		})
	})
}
