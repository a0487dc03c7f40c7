package segment

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ken/internal/index"
)

func genText() *rapid.Generator[string] {
	w := rapid.OneOf(
		rapid.SampledFrom([]string{"kettle", "kettles", "Kettle's", "the", "fetchUser", "fetch_user", "go", "running", "runs", "紅茶", "茶", "café", "/etc/hosts", "C++", "🎉", "ตลาด"}),
		rapid.StringN(0, 6, 20),
	)
	return rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(w, 0, 12).Draw(t, "words"), " ") })
}

func genDocument(i int) *rapid.Generator[index.Document] {
	return rapid.Custom(func(t *rapid.T) index.Document {
		d := index.Document{
			Ref: fmt.Sprint(i + 1), In: index.Memory, Kind: "fact", Scope: rapid.SampledFrom([]string{"user", "dir:~/a"}).Draw(t, "scope"),
			Content: genText().Draw(t, "content"), Tags: rapid.SliceOfN(genText(), 0, 2).Draw(t, "tags"), Key: rapid.SampledFrom([]string{"", "tea.time"}).Draw(t, "key"),
			Importance: rapid.IntRange(1, 10).Draw(t, "importance"), Pinned: rapid.Bool().Draw(t, "pinned"),
			Time: rapid.SampledFrom([]time.Time{{}, time.Unix(1_800_000_000, 0)}).Draw(t, "time"),
		}
		if rapid.Bool().Draw(t, "turn") {
			d.In, d.Kind, d.Session, d.Speaker = index.Sessions, "user", rapid.SampledFrom([]string{"s", "s:t", ""}).Draw(t, "session"), rapid.SampledFrom([]string{"", "Ada"}).Draw(t, "speaker")
			d.Ref = d.Session + ":" + rapid.SampledFrom([]string{"1", "07", "12", "x"}).Draw(t, "n")
		}
		return d
	})
}

func write(t testing.TB, path string, docs []index.Document) {
	t.Helper()
	b := NewBuilder()
	for i := range docs {
		lines := make([]Line, i%3)
		for n := range lines {
			lines[n] = Line{File: uint32(n), Offset: int64(i) << 20, Len: int64(n + 5), Sum: uint32(i) * 0x9e3779b9}
		}
		b.Add(&docs[i], lines...)
	}
	if err := b.WriteFile(path, []byte("meta")); err != nil {
		t.Fatal(err)
	}
}

// TestL2Scan (L2): a segment says of documents what a scan of them says.
func TestL2Scan(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.seg")
	rapid.Check(t, func(rt *rapid.T) {
		docs := make([]index.Document, rapid.IntRange(0, 30).Draw(rt, "documents"))
		terms := map[index.Term]bool{{Text: "absent"}: true, {Form: index.Single, Text: "龘"}: true, {}: true}
		for i := range docs {
			docs[i] = genDocument(i).Draw(rt, "document")
			docs[i].Count(func(t index.Term, _ [index.Fields]uint16) { terms[t] = true })
		}
		want := index.NewScan(slices.Values(docs))
		write(t, path, docs)
		s, err := Open(path)
		if err != nil {
			rt.Fatal(err)
		}
		defer s.Close()
		if diff := cmp.Diff(want.Rows, s.Rows(), cmpopts.EquateEmpty()); diff != "" {
			rt.Fatalf("rows (-scan +segment):\n%s", diff)
		}
		if diff := cmp.Diff(want.Names, s.Names(), cmpopts.EquateEmpty()); diff != "" {
			rt.Fatalf("names (-scan +segment):\n%s", diff)
		}
		for term := range terms {
			a, _ := want.AppendPostings(nil, term)
			b, err := s.AppendPostings(nil, term)
			if diff := cmp.Diff(a, b, cmpopts.EquateEmpty()); diff != "" || err != nil {
				rt.Fatalf("%v: %v (-scan +segment):\n%s", term, err, diff)
			}
		}
		for i := range docs {
			if got := s.Ref(int32(i)); got != docs[i].Ref {
				rt.Fatalf("document %d is %q, want %q", i, got, docs[i].Ref)
			}
			if got := s.Lines(int32(i)); len(got) != i%3 || i%3 == 2 && got[1] != (Line{1, int64(i) << 20, 6, uint32(i) * 0x9e3779b9}) {
				rt.Fatalf("document %d is from %v", i, got)
			}
		}
		if string(s.Meta()) != "meta" {
			rt.Fatalf("meta %q", s.Meta())
		}
	})
}

// TestManyOfAWord: what stands more often than can be counted, and in many
// documents.
func TestManyOfAWord(t *testing.T) {
	t.Parallel()
	docs := []index.Document{{Ref: "1", Content: strings.Repeat("tea ", 70_000)}}
	for i := range 300 {
		docs = append(docs, index.Document{Ref: fmt.Sprint(i + 2), Content: "tea", Tags: []string{"tea"}})
	}
	path := filepath.Join(t.TempDir(), "x.seg")
	write(t, path, docs)
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := index.NewScan(slices.Values(docs)).AppendPostings(nil, index.Term{Text: "tea"})
	got, _ := s.AppendPostings(nil, index.Term{Text: "tea"})
	if diff := cmp.Diff(want, got); diff != "" || got[0].Counts[0] != 65535 {
		t.Errorf("(-scan +segment):\n%s", diff)
	}
}

func sample() []index.Document {
	rng := rand.New(rand.NewPCG(1, 2))
	docs := make([]index.Document, 400)
	for i := range docs {
		docs[i] = index.Document{Ref: fmt.Sprint(i + 1), Kind: "fact", Scope: "user", Content: fmt.Sprintf("the %d kettle of room %d hums when pump%d runs", i, rng.IntN(97), rng.IntN(1013))}
	}
	return docs
}

// TestF11Damage: a file that is cut off, turned over in a bit, of another version
// or no segment at all is not opened.
func TestF11Damage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "x.seg")
	write(t, path, sample())
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	flips := 500
	if os.Getenv("KEN_BATTERY") == "full" {
		flips = 10_000
	}
	tried := 0
	refused := func(what string, b []byte, want error) {
		t.Helper()
		tried++
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if s, err := Open(path); !errors.Is(err, want) {
			t.Errorf("%s: %v, %v", what, s != nil, err)
		}
	}
	for n := 0; n < len(whole); n += 512 {
		refused(fmt.Sprintf("cut off at %d", n), whole[:n], ErrCorrupt)
		b := slices.Clone(whole)
		clear(b[n:min(n+512, len(b))])
		if string(b) != string(whole) {
			refused(fmt.Sprintf("zeroed at %d", n), b, ErrCorrupt)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range flips {
		at, bit := rng.IntN(len(whole)), rng.IntN(8)
		b := slices.Clone(whole)
		b[at] ^= 1 << bit
		if between(whole, at) {
			continue // a byte between two sections, which says nothing
		}
		refused(fmt.Sprintf("bit %d of %d", bit, at), b, ErrCorrupt)
	}
	other := slices.Clone(whole)
	other[6]++
	binary.LittleEndian.PutUint32(other[headerSize-4:], sum(other[:headerSize-4]))
	refused("another version", other, ErrVersion)
	refused("empty", nil, ErrCorrupt)
	refused("text", []byte(strings.Repeat("no segment\n", 100)), ErrCorrupt)
	t.Logf("%d of %d damaged files were refused", tried, tried)
	if _, err := Open(dir); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a directory: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// between reports whether no section has the byte.
func between(whole []byte, at int) bool {
	if at < headerSize {
		return false
	}
	head := whole[len(magic)+8:]
	for range sections {
		off, n := int(binary.LittleEndian.Uint64(head)), int(binary.LittleEndian.Uint64(head[8:]))
		if at >= off && at < off+n {
			return false
		}
		head = head[20:]
	}
	return true
}

// FuzzOpen: whatever the bytes, opening ends, and what is opened can be asked.
func FuzzOpen(f *testing.F) {
	path := filepath.Join(f.TempDir(), "seed.seg")
	write(f, path, sample()[:3])
	b, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "x.seg")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path)
		if err != nil {
			return
		}
		defer s.Close()
		for doc := range s.Rows() {
			s.Ref(int32(doc))
			s.Lines(int32(doc))
		}
		if _, err := s.AppendPostings(nil, index.Term{Text: "kettle"}); err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkSegment(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		docs := make([]index.Document, n)
		bytes := 0
		for i := range docs {
			docs[i] = index.Document{Ref: fmt.Sprint(i + 1), Kind: "fact", Scope: "user", Content: fmt.Sprintf("the %d kettle of room %d hums when pump%d runs near the old boiler", i, i%97, i%1013)}
			bytes += len(docs[i].Content)
		}
		path := filepath.Join(b.TempDir(), "x.seg")
		b.Run(fmt.Sprintf("build/%d", n), func(b *testing.B) {
			for b.Loop() {
				write(b, path, docs)
			}
		})
		b.Run(fmt.Sprintf("open/%d", n), func(b *testing.B) {
			for b.Loop() {
				s, err := Open(path)
				if err != nil {
					b.Fatal(err)
				}
				s.Close()
			}
			fi, err := os.Stat(path)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(fi.Size())/float64(bytes), "B/B-of-text")
		})
		s, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("postings/%d", n), func(b *testing.B) {
			var list []index.Posting
			for b.Loop() {
				list = list[:0]
				for _, w := range []string{"kettl", "room", "hum", "run", "pump512"} {
					list, _ = s.AppendPostings(list, index.Term{Form: index.Stem, Text: w})
				}
			}
			b.ReportMetric(float64(len(list)), "postings/op")
		})
	}
}
