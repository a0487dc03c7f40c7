package live_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// indexed is a home with an index, and the paths of its segments.
func indexed(t *testing.T, log string) (*home, []string) {
	t.Helper()
	h := &home{dir: t.TempDir(), now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)}
	h.write(t, "device.json", fmt.Sprintf(`{"log":"%s"}`, log))
	h.write(t, "memory.jsonl", fmt.Sprintf(`{"meta":{"format":1,"log":"%s"}}`, log))
	for n := 1; n <= 300; n++ {
		h.write(t, "memory.jsonl", fmt.Sprintf(`{"id":%d,"ts":"2026-05-01T00:00:00Z","kind":"fact","content":"%s %d of %s"}`, n, texts[n%len(texts)], n, log))
	}
	turns := []string{`{"meta":{"format":1,"session":"s"}}`}
	for n := 1; n <= 250; n++ {
		turns = append(turns, fmt.Sprintf(`{"ts":"2026-05-10T12:00:00Z","role":"user","content":"%s, said %d","n":%d}`, texts[n%len(texts)], n, n))
	}
	h.write(t, "sessions/s.jsonl", turns...)
	h.age(t)
	s := h.open()
	ask(t, s, "kettle")
	if err := s.Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	segments, err := filepath.Glob(h.path("cache", "index", "*.seg"))
	if err != nil || len(segments) != 2 {
		t.Fatal(segments, err)
	}
	return h, segments
}

// TestF11Damage (F11, R5): whatever becomes of the index, every answer is that of
// the files, and the index is whole again afterwards.
//
//ken:unraced
func TestF11Damage(t *testing.T) {
	t.Parallel()
	h, segments := indexed(t, "desk-19c4")
	_, others := indexed(t, "attic-0001")
	questions := []string{"where is the staging kettle", "who sold the boat 17", "茶"}
	want := h.plain(t, questions...)
	whole := make([][]byte, len(segments))
	for i, path := range segments {
		whole[i] = read(t, path)
	}
	cases := 0
	try := func(what string) {
		t.Helper()
		cases++
		s := h.open()
		if diff := cmp.Diff(want, ask(t, s, questions...)); diff != "" {
			t.Fatalf("%s (-files +index):\n%.2000s", what, diff)
		}
		if cases%20 == 0 {
			if err := s.Rebuild(t.Context()); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			if diff := cmp.Diff(want, ask(t, h.open(), questions...)); diff != "" {
				t.Fatalf("%s, made anew (-files +index):\n%.2000s", what, diff)
			}
		}
		for i, path := range segments {
			put(t, path, whole[i])
		}
	}
	n := 40
	if os.Getenv("KEN_BATTERY") == "full" {
		n = 5000
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for i, path := range segments {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		try("no " + filepath.Base(path))
		for at := 0; at < len(whole[i]); at += 4096 {
			put(t, path, whole[i][:at])
			try(fmt.Sprintf("%s cut off at %d", filepath.Base(path), at))
		}
		for range n {
			b := slices.Clone(whole[i])
			at, bit := rng.IntN(len(b)), rng.IntN(8)
			b[at] ^= 1 << bit
			put(t, path, b)
			try(fmt.Sprintf("%s with bit %d of byte %d turned over", filepath.Base(path), bit, at))
		}
		put(t, path, read(t, others[i]))
		try("the segment of another memory")
		put(t, path, []byte(strings.Repeat("no segment\n", 1000)))
		try("a text")
	}
	t.Logf("%d of %d answered as the files say", cases, cases)
}

// TestF11RolledBack: an index of lines that the log no longer has is not believed.
func TestF11RolledBack(t *testing.T) {
	t.Parallel()
	h, _ := indexed(t, "desk-19c4")
	log := read(t, h.path("memory.jsonl"))
	for what, b := range map[string][]byte{
		"half of it":  log[:len(log)/2],
		"an edit":     []byte(strings.Replace(string(log), "boat", "ship", 1)),
		"nothing":     nil,
		"a line less": log[:len(log)-80],
	} {
		put(t, h.path("memory.jsonl"), b)
		if diff := cmp.Diff(h.plain(t, "boat kettle"), ask(t, h.open(), "boat kettle")); diff != "" {
			t.Errorf("%s (-files +index):\n%.2000s", what, diff)
		}
	}
}

// TestF11NoPlace: a place that takes no index costs an error of Rebuild, and no answer.
func TestF11NoPlace(t *testing.T) {
	t.Parallel()
	h, segments := indexed(t, "desk-19c4")
	want := h.plain(t, "boat")
	dir := filepath.Dir(segments[0])
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	put(t, dir, []byte("a file where the directory was"))
	s := h.open()
	if diff := cmp.Diff(want, ask(t, s, "boat")); diff != "" {
		t.Errorf("(-files +index):\n%s", diff)
	}
	if err := s.Rebuild(t.Context()); err == nil {
		t.Error("no error")
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func put(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path+".new", b, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}
