package tombstone_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/memory"
	"ken/internal/memory/tombstone"
)

func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

func TestJournal(t *testing.T) {
	t.Parallel()
	j := &tombstone.Journal{Path: filepath.Join(t.TempDir(), "state", "erased.jsonl"), Now: noon}
	if m, err := j.Read(); err != nil || m.Len() != 0 || m.Begun() != nil {
		t.Fatalf("a missing file says %v, %v", m, err)
	}
	a := tombstone.Mark{ID: memory.Num(7).In("desk-19c4"), Sum: 0x9f3a11c0}
	b := tombstone.Mark{ID: memory.HashID([]byte("x")).In("phone"), Sum: 3}
	for range 2 { // again changes nothing
		if err := j.Begin(t.Context(), []tombstone.Mark{a, b}); err != nil {
			t.Fatal(err)
		}
	}
	m, err := j.Read()
	if err != nil || m.Has(a.ID, a.Sum) {
		t.Fatalf("begun is not done: %v", err)
	}
	if diff := cmp.Diff([]tombstone.Mark{a, b}, m.Begun()); diff != "" {
		t.Errorf("begun (-want +got):\n%s", diff)
	}
	for range 2 {
		if err := j.Done(t.Context(), []tombstone.Mark{a}); err != nil {
			t.Fatal(err)
		}
	}
	if m, err = j.Read(); err != nil || !m.Has(a.ID, a.Sum) || m.Has(a.ID, a.Sum+1) || m.Has(b.ID, b.Sum) || m.Len() != 1 {
		t.Errorf("done: %v, %v", m, err)
	}
	if diff := cmp.Diff([]tombstone.Mark{b}, m.Begun()); diff != "" {
		t.Errorf("begun (-want +got):\n%s", diff)
	}
	if err := j.Begin(t.Context(), []tombstone.Mark{a}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(j.Path)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"ts":"2026-11-21T12:00:00Z","ref":"desk-19c4/7","sum":"9f3a11c0"}` + "\n"
	if lines := strings.Count(string(text), "\n"); lines != 3 || !strings.HasPrefix(string(text), want) {
		t.Errorf("%d lines:\n%s", lines, text)
	}
}

func seal() (*memory.Seal, error) { return memory.NewSeal([]byte("key")), nil }

// TestKeyed: sums stand in the file sealed, and so do names that are hashes; what an older
// version wrote counts, and Rehash seals it and leaves all else.
func TestKeyed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "erased.jsonl")
	a := tombstone.Mark{ID: memory.Num(7).In("desk-19c4"), Sum: 0x9f3a11c0}
	b := tombstone.Mark{ID: memory.HashID([]byte("x")).In("phone"), Sum: 3}
	old := &tombstone.Journal{Path: path, Now: noon}
	for _, m := range []tombstone.Mark{a, b} {
		if err := old.Done(t.Context(), []tombstone.Mark{m}); err != nil {
			t.Fatal(err)
		}
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write("no mark\n" + string(text))
	j := &tombstone.Journal{Path: path, Now: noon, Seal: seal}
	c := tombstone.Mark{ID: memory.Num(8).In("desk-19c4"), Sum: 12}
	if err := j.Begin(t.Context(), []tombstone.Mark{c}); err != nil {
		t.Fatal(err)
	}
	check := func(when string) {
		t.Helper()
		m, err := j.Read()
		if err != nil || !m.Has(a.ID, a.Sum) || !m.Has(b.ID, b.Sum) || m.Has(a.ID, 5) || m.Len() != 2 || len(m.Begun()) != 1 || m.Begun()[0] != m.Sealed(c) {
			t.Errorf("%s: %v, %+v", when, err, m)
		}
	}
	check("both forms")
	changed, err := j.Rehash(t.Context())
	if err != nil || !changed {
		t.Fatalf("rehash: %v, %v", changed, err)
	}
	check("sealed")
	text, err = os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, plain := range []string{a.Sum.String(), b.Sum.String(), c.Sum.String(), b.ID.Hash.String()} {
		if strings.Contains(string(text), plain) {
			t.Errorf("%s stands in\n%s", plain, text)
		}
	}
	if !strings.HasPrefix(string(text), "no mark\n") || strings.Count(string(text), "\n") != 4 || strings.Count(string(text), "2026-11-21T12:00:00Z") != 3 {
		t.Errorf("the rest of the file:\n%s", text)
	}
	if changed, err := j.Rehash(t.Context()); err != nil || changed {
		t.Errorf("again: %v, %v", changed, err)
	}
	lost := &tombstone.Journal{Path: path, Now: noon, Seal: func() (*memory.Seal, error) { return nil, os.ErrNotExist }}
	if m, err := lost.Read(); err != nil || !m.Has(a.ID, a.Sum) || !m.Has(a.ID, 1) || m.Has(memory.Num(99).In("desk-19c4"), 1) {
		t.Errorf("without the key: %v, %+v: a number that was erased is hidden whatever it says", err, m)
	}
}

// TestRehashKeeps: fields of later versions stay, and what was written by hand with less
// is sealed as well.
func TestRehashKeeps(t *testing.T) {
	t.Parallel()
	s, _ := seal()
	path := filepath.Join(t.TempDir(), "erased.jsonl")
	text := `{"x":[1],"ref":"desk-19c4/7","done":true,"y":"z"}` + "\n" + `{"ref":"desk-19c4/8","keyed":true,"later":1}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	j := &tombstone.Journal{Path: path, Now: noon, Seal: seal}
	if changed, err := j.Rehash(t.Context()); err != nil || !changed {
		t.Fatal(changed, err)
	}
	want := `{"ref":"desk-19c4/7","sum":"` + s.Sum(0).String() + `","done":true,"keyed":true,"x":[1],"y":"z"}` + "\n" +
		`{"ref":"desk-19c4/8","keyed":true,"later":1}`
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
}

// FuzzRead: whatever the file holds, reading it does no harm.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"ref":"desk-19c4/7","sum":"9f3a11c0","done":true}` + "\n{\"ref\":3}\nnonsense\n{\"ref\":\"1\",\"sum\":\"zz\"}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "erased.jsonl")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		j := &tombstone.Journal{Path: path}
		m, err := j.Read()
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range m.Begun() {
			if m.Has(b.ID, b.Sum) || b.ID.IsZero() {
				t.Errorf("%v is begun and done", b)
			}
		}
	})
}
