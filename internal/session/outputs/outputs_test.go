package outputs_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"ken/internal/session/outputs"
)

// room is an empty one of a session.
func room(t *testing.T, id string) outputs.Room {
	t.Helper()
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	return outputs.Room{Dir: filepath.Join(t.TempDir(), "out"), ID: id, Now: func() time.Time { return now }}
}

// TestKept: what is kept comes back by its name, as often as it is asked for, to its own conversation, readable by its
// person alone; a name means one text.
func TestKept(t *testing.T) {
	t.Parallel()
	r := room(t, "s1")
	for name, text := range map[string]string{"3": "one\ntwo", "10": "", "12.1": "a", "12.2": "b\n\n", "12.10": "c"} {
		if err := r.Keep(name, outputs.Output{Text: text, From: "external"}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if o, err := r.Get(name); err != nil || o.Text != text || o.From != "external" {
				t.Errorf("%s: %+v, %v", name, o, err)
			}
		}
		fi, err := os.Stat(filepath.Join(r.Dir, "s1.d", name))
		if err != nil || fi.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, fi.Mode(), err)
		}
	}
	if err := r.Keep("3", outputs.Output{Text: "another"}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v", err)
	}
	if o, err := r.Get("3"); err != nil || o.Text != "one\ntwo" {
		t.Errorf("%+v, %v", o, err)
	}
	if got := r.Names(); !slices.Equal(got, []string{"3", "10", "12.1", "12.2", "12.10"}) {
		t.Error(got)
	}
	other := r
	for _, other.ID = range []string{"s2", "", ".", "../s1", "s1.d/..", "s"} {
		if _, err := other.Get("3"); !errors.Is(err, outputs.ErrNone) {
			t.Errorf("%q: %v", other.ID, err)
		}
	}
	for _, name := range []string{"4", "", "0", "-1", "03", "3.0", "3.", "3.1.1", "../s1.d/3", "three", "3.01"} {
		if _, err := r.Get(name); !errors.Is(err, outputs.ErrNone) {
			t.Errorf("%q: %v", name, err)
		}
		if err := r.Keep(name, outputs.Output{}); err == nil && name != "4" {
			t.Errorf("%q is kept", name)
		}
	}
}

// TestBounds: of a long output the beginning and the end are kept; what is old goes, and the oldest of what is too much.
func TestBounds(t *testing.T) {
	t.Parallel()
	r := room(t, "s1")
	for _, line := range []string{"line %d\n", "%dä", "\xff%d"} {
		var b strings.Builder
		for i := range 30_000 {
			fmt.Fprintf(&b, line, i)
		}
		if err := r.Drop(1); err != nil {
			t.Fatal(err)
		}
		if err := r.Keep("1", outputs.Output{Text: b.String(), From: "tool"}); err != nil {
			t.Fatal(err)
		}
		o, err := r.Get("1")
		if err != nil || len(o.Text) > outputs.Most || len(o.Text) < outputs.Most*9/10 || !strings.Contains(o.Text, " bytes left out ...]\n") ||
			!strings.HasPrefix(o.Text, fmt.Sprintf(line, 0)) || !strings.HasSuffix(o.Text, fmt.Sprintf(line, 29_999)) ||
			utf8.ValidString(line) != utf8.ValidString(o.Text) {
			t.Errorf("%q: %d bytes, %v", line, len(o.Text), err)
		}
	}
	later := r.Now()
	const all = outputs.MostBytes/outputs.Most + 10
	for i := range all { // as if they had been kept, without as many bytes on the disk
		later = later.Add(time.Second)
		path := filepath.Join(r.Dir, fmt.Sprintf("s%d.d", i%7), fmt.Sprint(i+2))
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err == nil {
			err = os.WriteFile(path, nil, 0o600)
		}
		if err = errors.Join(err, os.Truncate(path, outputs.Most), os.Chtimes(path, later, later)); err != nil {
			t.Fatal(err)
		}
	}
	r.Now = func() time.Time { return later }
	if err := r.Keep("9999", outputs.Output{}); err != nil {
		t.Fatal(err)
	}
	files := 0
	for i := range 7 {
		r.ID = fmt.Sprintf("s%d", i)
		files += len(r.Names())
		if slices.Contains(r.Names(), "1") || slices.Contains(r.Names(), fmt.Sprint(i+2)) {
			t.Errorf("the oldest of %s is there", r.ID)
		}
	}
	if want := outputs.MostBytes / outputs.Most; files != want && files != want+1 {
		t.Errorf("%d are kept, want %d", files, want)
	}
	later = later.Add(outputs.Age + time.Hour)
	r.ID = "new"
	if err := r.Keep("1", outputs.Output{}); err != nil {
		t.Fatal(err)
	}
	if rooms, err := os.ReadDir(r.Dir); err != nil || len(rooms) != 1 {
		t.Errorf("%v, %v", rooms, err)
	}
}

// TestGoes: outputs go with their turn, and with their conversation; a copy of it has those of its turns.
func TestGoes(t *testing.T) {
	t.Parallel()
	r := room(t, "a/../b")
	for _, name := range []string{"3", "13", "13.2", "30"} {
		if err := r.Keep(name, outputs.Output{Text: name}); err != nil {
			t.Fatal(err)
		}
	}
	other := r
	other.ID = "copy"
	if err := r.CopyTo(other, 13); err != nil || !slices.Equal(other.Names(), []string{"3", "13", "13.2"}) {
		t.Errorf("%q, %v", other.Names(), err)
	}
	if err := r.Drop(13); err != nil || !slices.Equal(r.Names(), []string{"3", "30"}) {
		t.Errorf("%q, %v", r.Names(), err)
	}
	if err := r.Remove(); err != nil || len(r.Names()) > 0 || len(other.Names()) != 3 {
		t.Errorf("%q, %q, %v", r.Names(), other.Names(), err)
	}
	none := outputs.Room{Dir: r.Dir}
	if err := errors.Join(none.Remove(), none.Drop(1)); err != nil || len(other.Names()) != 3 {
		t.Errorf("%q, %v", other.Names(), err)
	}
}
