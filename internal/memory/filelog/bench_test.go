package filelog

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"ken/internal/jsonl"
	"ken/internal/memory"
)

// sized is a log file with n records in it, and its head.
func sized(b *testing.B, n int) string {
	b.Helper()
	dir := b.TempDir()
	l := openIn(dir)
	var data bytes.Buffer
	for i := int64(1); i <= int64(n); i++ {
		data.Write(append(fact(i, "User prefers terse responses; no end-of-turn summaries, please, number "+strconv.FormatInt(i, 10)).AppendJSON(nil), '\n'))
	}
	write(b, l.path, data.String())
	appended(b, l, "", "the first that leaves a head")
	return dir
}

// BenchmarkAppendCold is what a command that remembers one thing costs beside
// starting it: a new Log, its end, one append.
func BenchmarkAppendCold(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000, 100_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			dir := sized(b, n)
			for b.Loop() {
				l := openIn(dir)
				tip, err := l.Tip(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				_, err = l.Append(b.Context(), tip.At, func([]memory.Entry) ([]memory.Record, error) {
					return []memory.Record{fact(tip.MaxID+1, "one more")}, nil
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAppendWarm is an append by a process that goes on.
func BenchmarkAppendWarm(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			l := openIn(sized(b, n))
			tip, err := l.Tip(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			at, next := tip.At, tip.MaxID
			for b.Loop() {
				next++
				at, err = l.Append(b.Context(), at, func([]memory.Entry) ([]memory.Record, error) {
					return []memory.Record{fact(next, "one more")}, nil
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAppendFloor is the least that an append can be: lock, write, sync.
func BenchmarkAppendFloor(b *testing.B) {
	dir := b.TempDir()
	line := append(fact(1, "one more").AppendJSON(nil), '\n')
	for b.Loop() {
		l, err := jsonl.LockDir(b.Context(), dir, 0)
		if err != nil {
			b.Fatal(err)
		}
		f, err := jsonl.OS{}.OpenFile(filepath.Join(dir, "memory.jsonl"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := f.Write(line); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
		if err := l.Unlock(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRecords reads a whole log.
func BenchmarkRecords(b *testing.B) {
	dir := sized(b, 100_000)
	l := openIn(dir)
	fi, err := os.Stat(l.path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(fi.Size())
	for b.Loop() {
		n := 0
		for _, err := range l.Records(b.Context(), "") {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n != 100_001 {
			b.Fatalf("%d lines", n)
		}
	}
}

// BenchmarkLines is what it costs to find no text that is near one, cold.
func BenchmarkLines(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			dir := sized(b, n)
			open := func() *Log {
				l := openIn(dir)
				l.o.Sketches = func(r *memory.Record, to []uint64) []uint64 { return append(to, uint64(len(r.Content))) }
				return l
			}
			l := open()
			none := func([]uint64, []int) []int { return nil }
			for range 2 { // the first finds no sketches
				tip, err := l.Tip(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				for _, err := range l.Lines(b.Context(), tip.At, none) {
					b.Fatal(err)
				}
				appended(b, l, tip.At, "one more")
			}
			for b.Loop() {
				l := open()
				tip, err := l.Tip(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				for _, err := range l.Lines(b.Context(), tip.At, none) {
					b.Fatal(err)
				}
			}
		})
	}
}
