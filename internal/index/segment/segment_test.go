//ken:slow

package segment

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/index"
	"ken/internal/memory"
)

// document draws a document of a made-up vocabulary; conversations are drawn by
// conversation.
func document() *rapid.Generator[index.Document] {
	text := rapid.OneOf(
		rapid.StringMatching(`([a-d]{1,2}[ .?'-]){0,12}`),
		rapid.SampledFrom([]string{
			"", "fetchUser.go runs", "紅茶杯 カタカ", "Running shoes, running?", "naïve Straße ß", "a\xffb\x00c",
			strings.Repeat("tea ", 40), strings.Repeat("x", 300), "C++ and C# in /etc/hosts v1.2", "🎉 hi",
			"last week in Oslo", "two years ago, for a month", "8 May 1960", "in June 2023?", "yesterday",
		}),
	)
	return rapid.Custom(func(t *rapid.T) index.Document {
		d := index.Document{
			Ref: rapid.StringMatching(`[a-c]{0,3}/?[0-9]{1,4}`).Draw(t, "ref"), In: index.Memory,
			Kind: rapid.SampledFrom([]string{"fact", "pref", ""}).Draw(t, "kind"), Scope: rapid.SampledFrom([]string{"user", "repo:x", ""}).Draw(t, "scope"),
			Content: text.Draw(t, "content"), Key: rapid.SampledFrom([]string{"", "key a"}).Draw(t, "key"),
			Tags:   rapid.SliceOfN(rapid.SampledFrom([]string{"a", "tea", "a b"}), 0, 6).Draw(t, "tags"),
			Pinned: rapid.Bool().Draw(t, "pinned"), Archived: rapid.Bool().Draw(t, "archived"), Importance: rapid.IntRange(0, 10).Draw(t, "importance"),
			Phase: rapid.SampledFrom([]memory.Phase{memory.PhaseFluid, memory.PhaseStabilized, memory.PhaseRigid}).Draw(t, "phase"),
		}
		if rapid.Bool().Draw(t, "timed") {
			d.Time = time.Unix(rapid.OneOf(rapid.Int64Range(1.7e9, 1.8e9), rapid.Int64Range(-1e11, 1e11)).Draw(t, "time"), 0).UTC()
		}
		if rapid.Bool().Draw(t, "command") {
			d = index.Document{Ref: d.Ref, In: index.Commands, Kind: "exec", Content: d.Content, Time: d.Time, Session: "s"}
		}
		return d
	})
}

// conversation draws the turns of one.
func conversation(name string, from int) *rapid.Generator[[]index.Document] {
	return rapid.Custom(func(t *rapid.T) []index.Document {
		turns := rapid.SliceOfN(document(), 1, 5).Draw(t, "turns")
		for i := range turns {
			turns[i] = index.Document{
				Ref: fmt.Sprintf("%s:%d", name, from+i), In: index.Sessions, Kind: rapid.SampledFrom([]string{"user", "assistant"}).Draw(t, "role"),
				Content: turns[i].Content, Speaker: rapid.SampledFrom([]string{"", "Ada", "Ben B"}).Draw(t, "speaker"), Session: name, Time: turns[i].Time,
				Turn: json.RawMessage(fmt.Sprint(from + i)),
			}
		}
		return turns
	})
}

// documents draws items, commands and conversations, as they may stand in one
// segment; n tells conversations of several segments apart.
func documents(n int) *rapid.Generator[[]index.Document] {
	return rapid.Custom(func(t *rapid.T) []index.Document {
		var docs []index.Document
		for i := range rapid.IntRange(0, 6).Draw(t, "groups") {
			if rapid.Bool().Draw(t, "talk") {
				docs = append(docs, conversation(fmt.Sprintf("s%d-%d", n, i), 1).Draw(t, "talk")...)
			} else {
				docs = append(docs, rapid.SliceOfN(document(), 0, 20).Draw(t, "docs")...)
			}
		}
		return docs
	})
}

// locator is where a made-up owner has a document.
func locator(d *index.Document, n int) Locator {
	text, _ := json.Marshal(d)
	l := Locator{Ref: d.Ref}
	for i := range n % 4 {
		l.Lines = append(l.Lines, LineRef{File: uint32(n * i % 7), Offset: int64(n*1000 - i*n), Length: uint32(len(text) * i), Sum: SumOf(text)})
	}
	return l
}

// build makes a segment of docs.
func build(t testing.TB, path string, meta []byte, docs ...index.Document) {
	t.Helper()
	var b Builder
	for i := range docs {
		b.Add(&docs[i], locator(&docs[i], i))
	}
	if b.Docs() != len(docs) {
		t.Fatalf("%d documents, want %d", b.Docs(), len(docs))
	}
	if err := b.WriteFile(path, meta); err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, path string) *Segment {
	t.Helper()
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A T is what tests and rapid's tests have both.
type T interface {
	Helper()
	Fatalf(format string, args ...any)
	Fatal(args ...any)
}

// textOf reads the documents of a segment from a list of them.
func textOf(docs []index.Document) Text {
	return func(l Locator) (*index.Document, error) {
		for i := range docs {
			if docs[i].Ref == l.Ref {
				return &docs[i], nil
			}
		}
		return nil, index.ErrChanged
	}
}

func corpus(t T, s *Segment, deleted Deleted, docs []index.Document) *index.Corpus {
	t.Helper()
	c, err := s.Corpus(deleted, textOf(docs))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// allTerms are the terms of docs, and some that no document has.
func allTerms(docs []index.Document) []index.Term {
	list := []index.Term{
		{},
		{Form: index.Stem},
		{Text: "nowhere"},
		{Form: index.Stem, Text: "a0"},
		{Text: "\xff"},
		{Form: 9, Text: "a"},
		{Text: strings.Repeat("y", 4000)},
		{Form: index.Single, Text: "zz"},
	}
	seen := map[index.Term]bool{}
	for i := range docs {
		docs[i].Count(func(t index.Term, _ [index.Fields]uint16) {
			if !seen[t] {
				seen[t] = true
				list = append(list, t)
			}
		})
	}
	return list
}

// rowsOf are all rows of a corpus.
func rowsOf(t T, c *index.Corpus) []index.Row {
	t.Helper()
	rows, err := c.Rows.All()
	if err != nil {
		t.Fatal(err)
	}
	return append([]index.Row{}, rows...)
}

// same fails unless two corpora have the same rows, names and postings.
func same(t T, got, want *index.Corpus, terms []index.Term) {
	t.Helper()
	if diff := gocmp.Diff(want.Names, got.Names); diff != "" && len(want.Names)+len(got.Names) > 0 {
		t.Fatalf("names: %s", diff)
	}
	if diff := gocmp.Diff(rowsOf(t, want), rowsOf(t, got)); diff != "" {
		t.Fatalf("rows: %s", diff)
	}
	if got.Rows.Turns() != want.Rows.Turns() || got.Rows.Live() != want.Rows.Live() {
		t.Fatalf("turns: %v, %d documents, want %v, %d", got.Rows.Turns(), got.Rows.Live(), want.Rows.Turns(), want.Rows.Live())
	}
	for doc := range int32(want.Rows.Len()) {
		if *got.Rows.At(doc) != *want.Rows.At(doc) || got.Rows.Deleted(doc) != want.Rows.Deleted(doc) {
			t.Fatalf("row %d: %+v, want %+v", doc, got.Rows.At(doc), want.Rows.At(doc))
		}
	}
	for _, term := range terms {
		w, err := want.AppendPostings(nil, term)
		if err != nil {
			t.Fatal(err)
		}
		before := []index.Posting{{Doc: 77}} // stays
		g, err := got.AppendPostings(before, term)
		if err != nil {
			t.Fatal(err)
		}
		if g[0] != before[0] || !slices.Equal(g[1:], w) {
			t.Fatalf("%+v: %s", term, gocmp.Diff(w, g[1:]))
		}
	}
}

// TestLawScan (L2): the corpus of a segment is that of a scan.
//
//ken:unraced
func TestLawScan(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a")
	rapid.Check(t, func(r *rapid.T) {
		docs := documents(0).Draw(r, "docs")
		meta := rapid.SliceOf(rapid.Byte()).Draw(r, "meta")
		build(t, path, meta, docs...)
		s := open(t, path)
		defer s.Close()
		same(r, corpus(r, s, nil, docs), index.NewScan(slices.Values(docs)), allTerms(docs))
		if got, err := s.Meta(); err != nil || !slices.Equal(got, meta) {
			r.Fatalf("meta %q, %v; want %q", got, err, meta)
		}
		if s.Docs() != len(docs) {
			r.Fatalf("%d documents, want %d", s.Docs(), len(docs))
		}
		n := 0
		for l, err := range s.Locators() {
			one, err1 := s.Locator(int32(n))
			if want := locator(&docs[n], n); err != nil || err1 != nil || l.Ref != want.Ref || !slices.Equal(l.Lines, want.Lines) || one.Ref != l.Ref || !slices.Equal(one.Lines, l.Lines) {
				r.Fatalf("document %d: %+v, %v; %+v, %v; want %+v", n, l, err, one, err1, want)
			}
			n++
		}
		if n != len(docs) {
			r.Fatalf("%d locators, want %d", n, len(docs))
		}
		if _, err := s.Locator(int32(n)); err == nil {
			r.Fatalf("there is a document %d", n)
		}
	})
}

// TestLawWriteScan (L2): what is written of a scan is byte for byte what a Builder
// writes.
func TestLawWriteScan(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		docs := documents(0).Draw(r, "docs")
		built, scanned := filepath.Join(dir, "built"), filepath.Join(dir, "scanned")
		build(t, built, []byte("meta"), docs...)
		c := index.NewScan(slices.Values(docs))
		scan, ok := c.Reader.(*index.Scan)
		if !ok {
			r.Fatal("no scan")
		}
		err := WriteScan(scanned, []byte("meta"), c, scan, func(doc int32) (Locator, error) {
			return locator(&docs[doc], int(doc)), nil
		})
		if err != nil {
			r.Fatal(err)
		}
		want, err := os.ReadFile(built)
		if err != nil {
			r.Fatal(err)
		}
		if got, err := os.ReadFile(scanned); err != nil || !bytes.Equal(got, want) {
			r.Fatalf("%d bytes, want %d other ones, %v", len(got), len(want), err)
		}
	})
}

// TestLawMerge (L2): what was merged is what is built of the documents that live,
// and of a word that only deleted documents had there is no trace.
//
//ken:unraced
func TestLawMerge(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		var parts []Part
		var living []index.Document
		var all []index.Document
		var where []Locator
		n := rapid.IntRange(0, 4).Draw(r, "parts")
		for p := range n {
			docs := documents(p).Draw(r, "docs")
			if p > 0 && rapid.Bool().Draw(r, "goes on") {
				docs = append(docs, conversation("s0-0", 10*p).Draw(r, "talk")...)
			}
			path := filepath.Join(dir, fmt.Sprint(p))
			build(t, path, nil, docs...)
			s := open(t, path)
			defer s.Close()
			part := Part{Segment: s}
			if rapid.Bool().Draw(r, "renumbered") {
				part.File = func(n uint32) uint32 { return n + 1<<31 }
			}
			for i := range docs {
				docs[i].Ref = fmt.Sprintf("%d-%s", p, docs[i].Ref) // to know them again; not what the segment has
				if rapid.IntRange(0, 3).Draw(r, "dead") == 0 {
					part.Deleted.Add(int32(i))
					continue
				}
				living = append(living, docs[i])
				l := locator(&docs[i], i)
				for k := range l.Lines {
					if part.File != nil {
						l.Lines[k].File += 1 << 31
					}
				}
				where = append(where, l)
			}
			all = append(all, docs...)
			parts = append(parts, part)
		}
		path := filepath.Join(dir, "merged")
		if err := Merge(path, []byte("meta"), parts...); err != nil {
			r.Fatal(err)
		}
		s := open(t, path)
		defer s.Close()

		// The turns of a conversation stand where its first one does.
		place := make([]int, len(living))
		first := map[string]int{}
		for i := range living {
			place[i] = i
			if name := living[i].Session; living[i].In == index.Sessions {
				if _, ok := first[name]; !ok {
					first[name] = i
				}
				place[i] = first[name]
			}
		}
		order := make([]int, len(living))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(place[a], place[b]) })
		var want []index.Document
		for _, i := range order {
			want = append(want, living[i])
		}
		same(r, corpus(r, s, nil, nil), index.NewScan(slices.Values(want)), allTerms(all))
		n = 0
		for l, err := range s.Locators() {
			if err != nil || len(l.Lines) != len(where[order[n]].Lines) {
				r.Fatalf("document %d: %+v, %v; want %+v", n, l, err, where[order[n]])
			}
			for k, line := range l.Lines {
				if w := where[order[n]].Lines[k]; line.File != w.File || line.Offset != w.Offset {
					r.Fatalf("document %d: %+v; want %+v", n, l, where[order[n]])
				}
			}
			n++
		}
		data, err := os.ReadFile(path)
		if err != nil {
			r.Fatal(err)
		}
		path2 := filepath.Join(dir, "built")
		var b Builder
		for i := range want {
			_, ref, _ := strings.Cut(want[i].Ref, "-")
			d := want[i]
			d.Ref = ref
			b.Add(&d, where[order[i]])
		}
		if err := b.WriteFile(path2, []byte("meta")); err != nil {
			r.Fatal(err)
		}
		built, err := os.ReadFile(path2)
		if err != nil {
			r.Fatal(err)
		}
		if len(data) < len(built)-len(built)/4 || len(data) > len(built)+len(built)/4 {
			r.Fatalf("merged %d bytes, built %d", len(data), len(built))
		}
	})
}

// TestDeleted: what is deleted is so in no other corpus of the segment.
func TestDeleted(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a")
	var docs []index.Document
	for i := range 20 {
		docs = append(docs, index.Document{Ref: fmt.Sprint(i), In: index.Memory, Content: "tea"})
	}
	build(t, path, nil, docs...)
	s := open(t, path)
	defer s.Close()
	var deleted Deleted
	for _, n := range []int32{0, 9, 19, 200} { // the last is none of its documents
		deleted.Add(n)
	}
	c, whole := corpus(t, s, deleted, docs), corpus(t, s, Deleted{0, 0, 0}, docs)
	for i := range docs {
		if got := c.Rows.At(int32(i)).Flags&index.Deleted != 0; got != (i == 0 || i == 9 || i == 19) || got != deleted.Has(int32(i)) {
			t.Errorf("document %d: deleted %v", i, got)
		}
		if whole.Rows.At(int32(i)).Flags&index.Deleted != 0 {
			t.Errorf("document %d is deleted in another corpus", i)
		}
	}
	if list, err := c.AppendPostings(nil, index.Term{Text: "tea"}); err != nil || len(list) != 20 {
		t.Errorf("%d postings, %v: the deleted ones are among them", len(list), err)
	}
	d, err := c.Document(7)
	if err != nil || d.Ref != "7" {
		t.Errorf("%v, %v", d, err)
	}
	if _, err := corpus(t, s, nil, nil).Document(7); !errors.Is(err, index.ErrChanged) {
		t.Errorf("%v, want the owner's error", err)
	}
	bare, err := s.Corpus(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bare.Document(7); err == nil {
		t.Error("a text from nowhere")
	}
}

// TestEmpty: a segment without documents, with deleted ones that it cannot have.
func TestEmpty(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a")
	if err := Merge(path, nil); err != nil {
		t.Fatal(err)
	}
	s := open(t, path)
	defer s.Close()
	same(t, corpus(t, s, Deleted{255}, nil), index.NewScan(slices.Values([]index.Document(nil))), allTerms(nil))
}

// TestManyCounts: counts as large as they get.
//
//ken:unraced
func TestManyCounts(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a")
	var docs []index.Document
	for _, n := range []int{1, 2, 3, 4, 14, 15, 16, 17, 1000, 65534, 65535, 65536, 70000} {
		docs = append(docs, index.Document{Ref: fmt.Sprint(n), In: index.Sessions, Session: "s", Content: strings.Repeat("tea ", n), Tags: slices.Repeat([]string{"tea"}, n), Speaker: strings.Repeat("tea ", n)})
	}
	build(t, path, nil, docs...)
	s := open(t, path)
	defer s.Close()
	same(t, corpus(t, s, nil, docs), index.NewScan(slices.Values(docs)), allTerms(docs))
}

// TestClose: after it, reading is an error, whoever reads meanwhile.
func TestClose(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a")
	docs := []index.Document{{Ref: "1", In: index.Memory, Content: "tea and coffee"}}
	build(t, path, nil, docs...)
	s := open(t, path)
	c := corpus(t, s, nil, docs)
	row := c.Rows.At(0)
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				list, err := c.AppendPostings(nil, index.Term{Text: "tea"})
				if errors.Is(err, fs.ErrClosed) && len(list) == 0 {
					return
				}
				if err != nil || len(list) != 1 {
					t.Errorf("%v, %v", list, err)
					return
				}
			}
		})
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	readers.Wait()
	if _, err := c.Document(0); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("%v, want that it is closed", err)
	}
	if c.Rows.Len() != 1 || c.Name(row.Kind) != "" || c.Rows.At(0) != row {
		t.Error("a row that was read, or names, are no longer there")
	}
}

// TestWhole: a file is there whole or not at all, for its owner alone, and what was
// open goes on.
func TestWhole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	one, two := []index.Document{{Ref: "1", Content: "tea"}}, []index.Document{{Ref: "2", Content: "coffee"}, {Ref: "3", Content: "tea"}}
	build(t, path, nil, one...)
	s := open(t, path)
	defer s.Close()
	build(t, path, nil, two...)
	again := open(t, path)
	defer again.Close()
	same(t, corpus(t, again, nil, two), index.NewScan(slices.Values(two)), allTerms(two))
	same(t, corpus(t, s, nil, one), index.NewScan(slices.Values(one)), allTerms(two))
	var b Builder
	if err := b.WriteFile(filepath.Join(dir, "none", "a"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want that the directory is missing", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "taken"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := b.WriteFile(filepath.Join(dir, "taken"), nil); err == nil {
		t.Error("a directory was replaced")
	}
	names, err := os.ReadDir(dir)
	if err != nil || len(names) != 2 {
		t.Errorf("%v, %v: what could not be written is left", names, err)
	}
	if fi, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && fi.Mode() != 0o600 {
		t.Errorf("%v, %v", fi.Mode(), err)
	}
}
