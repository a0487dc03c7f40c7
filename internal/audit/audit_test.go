package audit

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/jsonl"
)

func TestAppend(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := Log{Path: filepath.Join(dir, "audit.jsonl"), Dir: dir, Now: func() time.Time { return time.Date(2026, 5, 10, 19, 0, 9, 5, time.UTC) }}
	for _, list := range [][]Entry{
		nil,
		{{Act: "compact", Session: "s", Count: 28}},
		{{Act: "archive", By: "hygiene", Refs: []string{"12", "desk/17"}, Lines: []string{"40"}}, {Act: "approve", Hash: "1a2b", Level: "caution"}},
	} {
		if err := b.Append(t.Context(), list...); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(b.Path)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"ts":"2026-05-10T19:00:09Z","act":"compact","session":"s","count":28}
{"ts":"2026-05-10T19:00:09Z","act":"archive","by":"hygiene","refs":["12","desk/17"],"lines":["40"]}
{"ts":"2026-05-10T19:00:09Z","act":"approve","hash":"1a2b","level":"caution"}
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	if fi, err := os.Stat(b.Path); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", fi.Mode(), err)
	}
}

// TestBusy: an account keeps nobody waiting.
func TestBusy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lock, err := jsonl.LockDir(t.Context(), dir, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Unlock() }()
	b := Log{Path: filepath.Join(dir, "audit.jsonl"), Dir: dir, Now: time.Now}
	if err := b.Append(t.Context(), Entry{Act: "compact"}); !errors.Is(err, jsonl.ErrBusy) {
		t.Errorf("while another process writes: %v", err)
	}
}
