package jsonl_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/jsonl"
	"ken/internal/jsonl/jsonltest"
)

// words is a journal of texts: {"w":"tea"}.
func words(path string, f jsonl.FS) *jsonl.Journal[string] {
	return &jsonl.Journal[string]{
		Path: path, Name: "the words", Max: 1000, FS: f,
		Parse: func(line []byte) (word string, err error) {
			fields, _, err := jsonl.Fields(line, nil)
			for _, f := range fields {
				if string(f.Name) == "w" {
					word, _ = f.Value.Text()
				}
			}
			if err == nil && word == "" {
				err = errors.New("no word")
			}
			return word, err
		},
		Encode: func(dst []byte, word string) []byte {
			return append(jsonl.AppendField(append(dst, '{'), "w", &word), '}')
		},
	}
}

// TestJournal: what is appended is read, and a line that cannot be read costs itself.
func TestJournal(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "below", "words.jsonl")
	j := words(path, nil)
	if list, err := j.Read(); err != nil || list != nil {
		t.Fatalf("a missing file: %v, %v", list, err)
	}
	if err := j.Add(t.Context(), "one", "two"); err != nil {
		t.Fatal(err)
	}
	wantFile(t, path, `{"w":"one"}`+"\n"+`{"w":"two"}`+"\n")
	text := strings.Join([]string{
		"\ufeff" + `{"x":1,"w":"one"}` + "\r", "", "  ", `{"w":`, "plain",
		`{"w":"` + strings.Repeat("x", 1000) + `"}`, `{"w":"two","w":"three"}`, `{"w":"fo`,
	}, "\n")
	write(t, path, text)
	list, err := j.Read()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range list {
		got = append(got, fmt.Sprintf("%d %s %v %v", r.Line, r.Value, r.Err != nil, r.Torn))
	}
	want := []string{"1 one false false", "4  true false", "5  true false", "6  true false", "7 three false false", "8  true true"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if p := list[3].Problem(); p.Error() != "line 6: longer than 1000 bytes" {
		t.Error(p)
	}
	if err := j.Add(t.Context(), "next"); err != nil {
		t.Fatal(err)
	}
	wantFile(t, path, text+"\n"+`{"w":"next"}`+"\n")
	if err := j.Add(t.Context(), "short", strings.Repeat("x", 1000)); err == nil || !strings.Contains(err.Error(), "more than 1000 bytes") {
		t.Errorf("a line that nobody would read: %v", err)
	}
	if err := j.Add(t.Context()); err != nil {
		t.Error(err)
	}
	wantFile(t, path, text+"\n"+`{"w":"next"}`+"\n")
	for range j.Records() {
		break // whoever has seen enough
	}
}

// TestJournalRefuses: what is no file, what its owner does not accept, a lock that
// somebody holds and a plan that fails are told, and nothing is written.
func TestJournalRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := words(dir, nil).Add(t.Context(), "a"); err == nil {
		t.Error("appended to a directory")
	}
	if _, err := words(dir, nil).Read(); err == nil || !strings.HasPrefix(err.Error(), "read the words "+dir+": ") {
		t.Errorf("read a directory: %v", err)
	}
	j := words(filepath.Join(dir, "words.jsonl"), nil)
	write(t, j.Path, `{"w":"one"}`+"\n")
	no := errors.New("no")
	plan := func([]jsonl.Record[string]) ([]string, error) { return []string{"two"}, no }
	if err := j.Append(t.Context(), plan); !errors.Is(err, no) || err.Error() != "no" {
		t.Errorf("a plan that fails: %v", err)
	}
	j.Accept = func(fs.FileInfo) error { return no }
	if list, err := j.Read(); !errors.Is(err, no) || list != nil {
		t.Errorf("a file that counts for nothing: %v, %v", list, err)
	}
	j.Accept = nil
	lock, err := jsonl.LockDir(t.Context(), dir, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Unlock() }()
	j.Wait = time.Millisecond
	if err := j.Add(t.Context(), "two"); !errors.Is(err, jsonl.ErrBusy) || !strings.HasPrefix(err.Error(), "append to the words: ") {
		t.Errorf("while somebody writes: %v", err)
	}
	wantFile(t, j.Path, `{"w":"one"}`+"\n")
}

// TestJournalEditors: an editor takes no lock. What it saves while an append is
// planned is planned with again, and never lost.
func TestJournalEditors(t *testing.T) {
	t.Parallel()
	j := words(filepath.Join(t.TempDir(), "words.jsonl"), nil)
	write(t, j.Path, `{"w":"one"}`+"\n")
	calls := 0
	err := j.Append(t.Context(), func(list []jsonl.Record[string]) ([]string, error) {
		if calls++; calls == 1 {
			write(t, j.Path, `{"w":"edited"}`+"\n")
		}
		return []string{fmt.Sprintf("after %s", list[0].Value)}, nil
	})
	if err != nil || calls != 2 {
		t.Errorf("%v after %d calls", err, calls)
	}
	wantFile(t, j.Path, `{"w":"edited"}`+"\n"+`{"w":"after edited"}`+"\n")
}

// TestJournalWriters: nothing that several writers plan at once is lost or done twice.
func TestJournalWriters(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "words.jsonl")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 10 {
				err := words(path, nil).Append(t.Context(), func(list []jsonl.Record[string]) ([]string, error) {
					return []string{fmt.Sprint(len(list))}, nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	list, err := words(path, nil).Read()
	if err != nil || len(list) != 40 {
		t.Fatalf("%d records, %v", len(list), err)
	}
	for i, r := range list {
		if r.Value != fmt.Sprint(i) {
			t.Errorf("record %d is %s", i, r.Value)
		}
	}
}

// TestF5F7Journal: every fault at every call of an append that was planned leaves what
// was acknowledged, and what comes next stands on lines of its own.
func TestF5F7Journal(t *testing.T) {
	t.Parallel()
	states := 10
	if testing.Short() {
		states = 2
	}
	raw := func(path string, f jsonl.FS) *jsonl.Journal[string] {
		j := words(path, f)
		j.Parse = func(line []byte) (string, error) { return string(line), nil }
		j.Encode = func(dst []byte, line string) []byte { return append(dst, line...) }
		return j
	}
	cases, err := battery(t, func(f jsonl.FS, path string, data []byte, _ bool) error {
		return raw(path, f).Append(t.Context(), func([]jsonl.Record[string]) ([]string, error) {
			return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"), nil
		})
	}, states)
	if err != nil {
		t.Errorf("case %d: %v", cases, err)
	}
	jsonltest.Survived(t, "F5/F7/Journal", cases)
}

// TestLawJournalCut: a journal that was cut off at any byte has what stands on the
// lines before, tells at most one torn line, and keeps all of it at the next append.
func TestLawJournalCut(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "words.jsonl")
	const whole = `{"w":"one"}` + "\n" + `{"w":"two","later":{"x":[1]}}` + "\n" + `{"w":"three"}` + "\n"
	for cut := range len(whole) + 1 {
		write(t, path, whole[:cut])
		plan := func([]jsonl.Record[string]) ([]string, error) { return []string{"next"}, nil }
		if err := words(path, nosync{}).Append(t.Context(), plan); err != nil {
			t.Fatal(err)
		}
		list, err := words(path, nil).Read()
		if err != nil {
			t.Fatal(err)
		}
		var read []string
		bad := 0
		for _, r := range list {
			if r.Err != nil {
				bad++
				continue
			}
			read = append(read, r.Value)
		}
		want := strings.Count(whole[:cut], "\n") + 1
		if strings.HasPrefix(whole[cut:], "\n") {
			want++ // all of the line but its end
		}
		text, err := os.ReadFile(path)
		if err != nil || len(read) != want || bad > 1 || read[want-1] != "next" || !strings.HasPrefix(string(text), whole[:cut]) {
			t.Errorf("cut at %d: %q, %d bad, of %s", cut, read, bad, text)
		}
	}
}

// TestLawJournalByHand: whatever a person does to the file, the lines they left alone
// are read, the others cost themselves, and an append or a change of one line keeps
// every other byte.
func TestLawJournalByHand(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "words.jsonl")
	line := rapid.OneOf(
		rapid.StringMatching(`\{"w":"[a-z]{1,8}"\}`), rapid.StringMatching(`\{"w":"[a-z]{1,8}","n":[0-9]\} ?\r?`),
		rapid.SampledFrom([]string{
			"", "  ", "plain", "{}", `{"w":"t`, "\x00\x00", `[{"w":"a"}]`, "<<<<<<< HEAD", `{"w":7}`, strings.Repeat("y", 1200),
		}),
	)
	ctx := t.Context()
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(line, 0, 12).Draw(t, "lines")
		text := strings.Join(lines, "\n") + rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		j := words(path, nosync{})
		list, err := j.Read()
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for n, one := range lines {
			if strings.TrimSpace(one) == "" {
				continue
			}
			good := strings.HasPrefix(one, `{"w":"`) && strings.Contains(one, "}")
			if at >= len(list) || list[at].Line != n+1 || (list[at].Err == nil) != good {
				t.Fatalf("line %d, %.40q: %+v", n+1, one, list)
			}
			at++
		}
		if at != len(list) {
			t.Fatalf("more records than lines: %+v", list)
		}
		change := rapid.IntRange(1, len(lines)+1).Draw(t, "changed")
		n, err := j.Edit().Lines(ctx, func(line jsonl.Line, _ *io.SectionReader) ([]byte, bool, error) {
			return []byte("changed"), line.Number == change && line.Len > 0, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			lines[change-1] = "changed"
			end := text[len(text)-1] == '\n' && strings.Count(text, "\n") == len(lines)
			if text = strings.Join(lines, "\n"); end {
				text += "\n"
			}
		}
		if err := j.Add(ctx, "next"); err != nil {
			t.Fatal(err)
		}
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != text+`{"w":"next"}`+"\n" {
			t.Fatalf("%v\n got %q\nwant %q", err, got, text)
		}
	})
}
