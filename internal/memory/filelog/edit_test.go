package filelog

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/jsonl/jsonltest"
	"ken/internal/memory"
	"ken/internal/regular"
)

// An edit is a way in which people and programs change a file.
type edit struct {
	name string
	do   func(t *testing.T, path string, lines []string)
}

// byRename saves as vim and sed -i do, inPlace as nano and cp do.
func byRename(t *testing.T, path, text string) {
	t.Helper()
	write(t, path+"~", text)
	if err := os.Rename(path+"~", path); err != nil {
		t.Fatal(err)
	}
}

func inPlace(t *testing.T, path, text string) {
	t.Helper()
	write(t, path, text)
}

// edits are the edits of a log with the given lines; pick chooses one of them
// and numbers make lines unlike any other.
func edits(pick func(n int) int, number func() int) []edit {
	save := func(how func(*testing.T, string, string), change func(lines []string) []string) func(*testing.T, string, []string) {
		return func(t *testing.T, path string, lines []string) {
			t.Helper()
			text := strings.Join(change(slices.Clone(lines)), "\n")
			if text != "" {
				text += "\n"
			}
			how(t, path, text)
		}
	}
	some := func(lines []string) int { return pick(len(lines)) }
	reword := func(lines []string) []string {
		if len(lines) > 0 {
			i := some(lines)
			lines[i] = strings.Replace(lines[i], `"content":"`, fmt.Sprintf(`"content":"%d `, number()), 1)
		}
		return lines
	}
	sameLength := func(lines []string) []string {
		if len(lines) > 0 {
			i := some(lines)
			lines[i] = strings.NewReplacer("fact", "fict", "fict", "fact").Replace(lines[i])
		}
		return lines
	}
	drop := func(lines []string) []string {
		if len(lines) > 0 {
			i := some(lines)
			lines = slices.Delete(lines, i, i+1)
		}
		return lines
	}
	swap := func(lines []string) []string {
		if len(lines) > 1 {
			i := pick(len(lines) - 1)
			lines[i], lines[i+1] = lines[i+1], lines[i]
		}
		return lines
	}
	insert := func(text string) func([]string) []string {
		return func(lines []string) []string { return slices.Insert(lines, pick(len(lines)+1), text) }
	}
	add := func(text func() string) func(*testing.T, string, []string) {
		return func(t *testing.T, path string, _ []string) { t.Helper(); typed(t, path, text()) }
	}
	record := func() string { n := number(); return fmt.Sprintf(`{"id":%d,"content":"fact typed %d"}`, 10_000+n, n) }
	return []edit{
		{"reword, by rename", save(byRename, reword)},
		{"reword, in place", save(inPlace, reword)},
		{"same length, by rename", save(byRename, sameLength)},
		{"same length, in place", save(inPlace, sameLength)},
		{"delete a line, by rename", save(byRename, drop)},
		{"delete a line, in place", save(inPlace, drop)},
		{"reorder", save(byRename, swap)},
		{"an older version", save(byRename, func(lines []string) []string { return lines[:pick(len(lines)+1)] })},
		{"cut to nothing", func(t *testing.T, path string, _ []string) { t.Helper(); inPlace(t, path, "") }},
		{"merge marks", save(inPlace, insert("<<<<<<< HEAD"))},
		{"a pretty-printed record", save(inPlace, insert("{\n  \"content\": \"x\"\n}"))},
		{"blank lines", save(byRename, insert("\n  \n"))},
		{"a byte order mark", save(inPlace, func(lines []string) []string {
			if len(lines) > 0 && !strings.HasPrefix(lines[0], "\ufeff") {
				lines[0] = "\ufeff" + lines[0]
			}
			return lines
		})},
		{"CR LF", save(byRename, func(lines []string) []string {
			for i := range lines {
				lines[i] = strings.TrimSuffix(lines[i], "\r") + "\r"
			}
			return lines
		})},
		{"echo >>", add(func() string { return record() + "\n" })},
		{"echo -n >>", add(record)},
		{"a torn line", add(func() string { return record()[:12] })},
		{"NUL bytes", add(func() string { return "\x00\x00\x00" })},
		{"touch", func(t *testing.T, path string, _ []string) { t.Helper(); typed(t, path, "") }},
		{"an exact copy", save(byRename, func(lines []string) []string { return lines })},
	}
}

// A follower keeps what it has read and reads on, as the engine does.
type follower struct {
	log  *Log
	at   memory.Cursor
	list []memory.Entry
}

func (f *follower) read(t *testing.T) {
	t.Helper()
	for range 2 {
		stale := false
		for e, err := range f.log.Records(t.Context(), f.at) {
			var bad *memory.LineError
			switch {
			case errors.Is(err, memory.ErrStale):
				stale = true
			case err != nil && !errors.As(err, &bad):
				t.Fatal(err)
			default:
				f.list = append(f.list, e.Entry)
				f.at = e.At
			}
		}
		if !stale {
			return
		}
		f.at, f.list = "", nil
	}
	t.Fatal("the start of the log is stale")
}

// unplaced are entries without where they stand.
func unplaced(list []memory.Placed) []memory.Entry {
	out := make([]memory.Entry, len(list))
	for i := range list {
		out[i] = list[i].Entry
	}
	return out
}

// seenAs is what two readers of one file must agree on. The end of a last line
// that had none yet may come later.
func seenAs(list []memory.Entry) []string {
	var s []string
	for _, e := range list {
		s = append(s, fmt.Sprintf("%d %s", e.Line, e.Sum.String()))
	}
	return s
}

// TestF9 edits a log in every way, one edit at a time, behind a reader's back:
// the next read sees the edit, an append goes to the end, and no line that the
// edit left alone has changed.
//
//ken:unraced
func TestF9(t *testing.T) {
	t.Parallel()
	all := func(seed uint64) []edit {
		n := 0
		return edits(rand.New(rand.NewPCG(seed, 1)).IntN, func() int { n++; return n })
	}
	for seed := range uint64(6) {
		for i, e := range all(seed) {
			t.Run(fmt.Sprintf("%s %d", e.name, seed), func(t *testing.T) {
				t.Parallel()
				e := all(seed)[i] // of its own: the source of numbers is not for several at once
				l := openIn(jsonltest.Dir(t))
				for range 6 {
					appended(t, l, "", "fact")
				}
				reader := &follower{log: Open(l.path, l.o)}
				reader.read(t)
				e.do(t, l.path, strings.Split(strings.TrimSuffix(content(t, l), "\n"), "\n"))
				edited := content(t, l)
				reader.read(t)
				fresh := entries(t, Open(l.path, l.o), "")
				if diff := cmp.Diff(seenAs(unplaced(fresh)), seenAs(reader.list)); diff != "" {
					t.Errorf("what a new reader sees and what one that was there sees (-new +there):\n%s", diff)
				}
				_, err := l.Append(t.Context(), reader.at, func([]memory.Entry) ([]memory.Record, error) {
					return []memory.Record{fact(100_000, "fact new")}, nil
				})
				if err != nil {
					t.Fatal(err)
				}
				if got := content(t, l); !strings.HasPrefix(got, edited) || !strings.HasSuffix(got, `"fact new"}`+"\n") {
					t.Errorf("the edit left %q, and an append %q", edited, got)
				}
			})
		}
	}
}

// TestF9Random puts edits among appends, by two processes, and compares after
// each step what was read bit by bit with what the file holds. The clock of the
// file system is much slower than the steps.
func TestF9Random(t *testing.T) {
	t.Parallel()
	steps := 6000
	if brief() {
		steps = 600
	}
	l := openIn(jsonltest.Dir(t))
	l.o.FS = unsynced{}
	rng := rand.New(rand.NewPCG(11, 12))
	numbers := 0
	all := edits(rng.IntN, func() int { numbers++; return numbers })
	readers := []*follower{{log: l}, {log: Open(l.path, l.o)}}
	appended(t, l, "", "fact")
	done := 0
	for step := range steps {
		r := readers[rng.IntN(2)]
		what := "append"
		switch k := rng.IntN(10); {
		case k == 0:
			done++
			e := all[rng.IntN(len(all))]
			what = e.name
			if text := content(t, l); len(text) > 8<<10 {
				inPlace(t, l.path, text[:100]) // keep it short
			}
			e.do(t, l.path, strings.Split(strings.TrimSuffix(content(t, l), "\n"), "\n"))
		case k < 4:
			r.read(t)
			what = "read and append"
			n := int64(0)
			for _, e := range r.list {
				n = max(n, e.MaxID())
			}
			end, err := r.log.Append(t.Context(), r.at, func(later []memory.Entry) ([]memory.Record, error) {
				r.list = append(r.list, later...)
				for _, e := range later {
					n = max(n, e.MaxID())
				}
				return []memory.Record{fact(n+1, "fact of a reader")}, nil
			})
			if err != nil {
				t.Fatalf("step %d: %v", step, err)
			}
			if r.at != "" { // else a meta line may have come as well
				r.at = end
				r.list = append(r.list, memory.Entry{Record: new(fact(n+1, ""))})
			} else {
				r.list = nil
			}
		case k < 7:
			tip, err := r.log.Tip(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			what = "append at the tip"
			if _, err := r.log.Append(t.Context(), tip.At, func(later []memory.Entry) ([]memory.Record, error) {
				if len(later) > 0 {
					return nil, fmt.Errorf("%d lines behind the tip", len(later))
				}
				return []memory.Record{fact(tip.MaxID+1, "fact at the tip")}, nil
			}); err != nil {
				t.Fatalf("step %d: %v", step, err)
			}
		}
		fresh := entries(t, Open(l.path, Options{ReadOnly: true}), "")
		r.read(t)
		got, want := seenAs(r.list), seenAs(unplaced(fresh))
		for i := range got {
			if got[i] == "0 " && i < len(want) {
				got[i] = want[i] // what the reader appended itself
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("step %d, %s: what the file holds and what was read (-file +read):\n%s", step, what, diff)
		}
		tip, err := r.log.Tip(t.Context())
		largest := int64(0)
		for _, e := range fresh {
			largest = max(largest, e.MaxID())
		}
		if err != nil || tip.MaxID < largest {
			t.Fatalf("step %d, %s: Tip = %+v, %v; the largest number is %d", step, what, tip, err, largest)
		}
	}
	jsonltest.Survived(t, "F9/Log", steps)
	t.Logf("%d edits among them", done)
}

// TestF13Deleted deletes, moves and cuts the file under an open log.
func TestF13Deleted(t *testing.T) {
	t.Parallel()
	take := map[string]func(path string) error{
		"deleted": os.Remove,
		"moved":   func(path string) error { return os.Rename(path, path+".away") },
		"cut":     func(path string) error { return os.Truncate(path, 0) },
	}
	for name, take := range take {
		l := openIn(t.TempDir())
		at, _ := appended(t, l, "", "one")
		if err := take(l.path); err != nil {
			t.Fatal(err)
		}
		called := false
		_, err := l.Append(t.Context(), at, func([]memory.Entry) ([]memory.Record, error) { called = true; return nil, nil })
		if !errors.Is(err, memory.ErrStale) || called {
			t.Errorf("%s: Append: %v (plan called: %v), want ErrStale", name, err, called)
		}
		for _, err := range l.Records(t.Context(), at) {
			if !errors.Is(err, memory.ErrStale) {
				t.Errorf("%s: Records: %v, want ErrStale", name, err)
			}
		}
		if _, err := os.Stat(l.path); name != "cut" && err == nil {
			t.Errorf("%s: the file is back", name)
		}
		if tip, err := l.Tip(t.Context()); err != nil || tip.MaxID != 0 || tip.At != "" || tip.Name == "" {
			t.Errorf("%s: Tip = %+v, %v", name, tip, err)
		}
		appended(t, l, "", "two")
		if got := shown(entries(t, l, "")); got != "meta, two" {
			t.Errorf("%s: the log holds %q; want nothing back from before", name, got)
		}
	}
}

func TestF13NotAFile(t *testing.T) {
	t.Parallel()
	l := openIn(t.TempDir())
	if err := os.Mkdir(l.path, 0o700); err != nil {
		t.Fatal(err)
	}
	check := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, regular.ErrNotFile) || !strings.Contains(err.Error(), l.path) {
			t.Errorf("%s: %v, want ErrNotFile that names the path", what, err)
		}
	}
	for _, err := range l.Records(t.Context(), "") {
		check("Records", err)
	}
	_, err := l.Append(t.Context(), "", nil)
	check("Append", err)
	_, err = l.Tip(t.Context())
	check("Tip", err)
	_, err = l.Erase(t.Context(), memory.Num(1))
	check("Erase", err)
}

func TestF13Paths(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"with space", "new\nline", "ünïcode 日本語", "-dash", "a'b\"c"} {
		l := openIn(filepath.Join(dir, name))
		appended(t, l, "", "one")
		if got := shown(entries(t, l, "")); got != "meta, one" {
			t.Errorf("%q: the log holds %q", name, got)
		}
	}
	file := filepath.Join(dir, "file")
	write(t, file, "")
	l := openIn(file) // a directory is needed where a file is
	if _, err := l.Append(t.Context(), "", nil); err == nil || !strings.Contains(err.Error(), l.path) {
		t.Errorf("below a file: %v, want an error that names the path", err)
	}
}

// TestF13Symlink keeps a link into another directory a link, through appends and
// an erasure.
func TestF13Symlink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	repo := filepath.Join(dir, "dotfiles")
	if err := os.Mkdir(repo, 0o700); err != nil {
		t.Fatal(err)
	}
	l := openIn(filepath.Join(dir, "data"))
	if err := os.Mkdir(filepath.Dir(l.path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(repo, "memory.jsonl"), l.path); err != nil {
		t.Skipf("no links: %v", err)
	}
	appended(t, l, "", "one") // through a link to nothing
	appended(t, l, "", "two")
	if _, err := l.Erase(t.Context(), memory.Num(1)); err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Lstat(l.path); err != nil || fi.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if got := shown(entries(t, Open(filepath.Join(repo, "memory.jsonl"), Options{ReadOnly: true}), "")); got != "meta, erased , two" {
		t.Errorf("behind the link: %q", got)
	}
}
