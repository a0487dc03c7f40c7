package battery

import (
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
	"pgregory.net/rapid"

	"ken/internal/index"
	"ken/internal/index/indextest"
	"ken/internal/index/segment"
	"ken/internal/recall"
)

// indexed makes a segment of docs, opens it, and gives its corpus without the deleted.
func indexed(
	t interface{ Fatal(args ...any) }, path string, deleted segment.Deleted, docs []index.Document,
) (*segment.Segment, *index.Corpus) {
	var b segment.Builder
	for i := range docs {
		b.Add(&docs[i], segment.Locator{})
	}
	if err := b.WriteFile(path, nil); err != nil {
		t.Fatal(err)
	}
	s, err := segment.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Corpus(deleted, textsOf(docs))
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

// textsOf finds documents by their reference, of which the last one counts.
func textsOf(docs []index.Document) segment.Text {
	at := make(map[string]*index.Document, len(docs))
	for i := range docs {
		at[docs[i].Ref] = &docs[i]
	}
	return func(l segment.Locator) (*index.Document, error) { return at[l.Ref], nil }
}

// madeUp draws documents with references of their own; a conversation is drawn
// whole.
func madeUp(t *rapid.T, name string) (docs []index.Document) {
	words := []string{"kettle", "kettles", "the", "what", "fetchUser", "fetch_user", "go", "running", "runs", "红茶", "café", "/etc/hosts", "C++", "and", "Ada"}
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 6).Draw(t, "words"), " ")
	})
	talk := "" // the conversation under way
	for i := range rapid.IntRange(0, 10).Draw(t, "documents") {
		d := index.Document{
			Ref: fmt.Sprintf("%s%d", name, i), Content: text.Draw(t, "content"), Time: time.Unix(rapid.Int64Range(0, 2).Draw(t, "time"), 0),
			Scope: rapid.SampledFrom([]string{"user", "b"}).Draw(t, "scope"), Kind: "fact", In: index.Memory,
		}
		switch rapid.IntRange(0, 3).Draw(t, "what") {
		case 0:
			d.Tags, d.Importance = []string{text.Draw(t, "tag")}, 5
			talk = ""
		case 1:
			talk = d.Ref
			fallthrough
		default:
			if talk != "" {
				d.In, d.Kind, d.Session, d.Speaker = index.Sessions, "user", talk, rapid.SampledFrom([]string{"", "Ada", "Kettle"}).Draw(t, "speaker")
			}
		}
		docs = append(docs, d)
	}
	return docs
}

// TestLawSegments (L2): a question has the same hits, scores and parts over
// segments, some of whose documents are deleted, with a scan of what came later, as
// over one scan of what lives; and over what they are merged to.
func TestLawSegments(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		var corpora []*index.Corpus
		var living, all []index.Document
		var parts []segment.Part
		for p := range rapid.IntRange(1, 3).Draw(r, "segments") {
			docs := madeUp(r, fmt.Sprintf("%c", 'a'+p))
			var deleted segment.Deleted
			for i := range docs {
				if rapid.IntRange(0, 2).Draw(r, "deleted") == 0 {
					deleted.Add(int32(i))
				} else {
					living = append(living, docs[i])
				}
			}
			s, c := indexed(r, filepath.Join(dir, fmt.Sprint(p)), deleted, docs)
			defer s.Close()
			corpora, parts, all = append(corpora, c), append(parts, segment.Part{Segment: s, Deleted: deleted}), append(all, docs...)
		}
		path := filepath.Join(dir, "merged")
		if err := segment.Merge(path, nil, parts...); err != nil {
			r.Fatal(err)
		}
		merged, err := segment.Open(path)
		if err != nil {
			r.Fatal(err)
		}
		defer merged.Close()
		one, err := merged.Corpus(nil, textsOf(all))
		if err != nil {
			r.Fatal(err)
		}
		tail := madeUp(r, "t")
		scan := index.NewScan(slices.Values(tail))
		q := recall.Question{Text: rapid.SampledFrom([]string{"kettle", "what runs", "fetchUser go", "Ada kettles", "红茶 café", "the", "/etc/hosts C++"}).Draw(r, "question"), K: rapid.IntRange(0, 4).Draw(r, "k")}
		if rapid.Bool().Draw(r, "filtered") {
			q.Keep = func(c *index.Corpus, row *index.Row) bool { return c.Name(row.Scope) == "b" }
		}
		want, err := recall.Search(t.Context(), []*index.Corpus{index.NewScan(slices.Values(slices.Concat(living, tail)))}, q)
		if err != nil {
			r.Fatal(err)
		}
		for name, corpora := range map[string][]*index.Corpus{"segments": append(corpora, scan), "merged": {one, scan}} {
			got, err := recall.Search(t.Context(), corpora, q)
			if err != nil {
				r.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				r.Fatalf("%q over %s (-scan +them):\n%s", q.Text, name, diff)
			}
		}
	})
}

// TestF11Search (R5): over a damaged segment a question has the hits of a scan, or
// an error that says to make the segment anew.
func TestF11Search(t *testing.T) {
	t.Parallel()
	docs := indextest.Documents(600, 3)
	path := filepath.Join(t.TempDir(), "a")
	s, c := indexed(t, path, nil, docs)
	defer s.Close()
	ask := func(c *index.Corpus, text string) ([]recall.Hit, error) {
		return recall.Search(t.Context(), []*index.Corpus{c}, recall.Question{Text: text, K: 5})
	}
	scan := index.NewScan(slices.Values(docs))
	var asked []string
	var want [][]recall.Hit
	for i := 0; i < len(docs); i += 60 {
		words := strings.Fields(docs[i].Content)
		text := strings.Join(words[:min(len(words), 6)], " ")
		hits, err := ask(scan, text)
		if err != nil || len(hits) == 0 {
			t.Fatalf("%q: %v, %v", text, hits, err)
		}
		if got, err := ask(c, text); err != nil || !cmp.Equal(got, hits) {
			t.Fatalf("%q: %v: %s", text, err, cmp.Diff(hits, got))
		}
		asked, want = append(asked, text), append(want, hits)
	}
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cases, r := 200, rand.New(rand.NewPCG(4, 11))
	if full() {
		cases = 10_000
	}
	bad := filepath.Join(t.TempDir(), "b")
	answered, refused := 0, 0
	for range cases {
		data := slices.Clone(sound)
		switch at := r.IntN(len(data)); r.IntN(4) {
		case 0:
			data = data[:at]
		case 1:
			clear(data[at:min(at+4096, len(data))])
		default:
			data[at] ^= 1 << r.IntN(8)
		}
		if err := os.WriteFile(bad, data, 0o600); err != nil {
			t.Fatal(err)
		}
		again := func(text string, want []recall.Hit) error {
			s, err := segment.Open(bad)
			if err != nil {
				return err
			}
			defer s.Close()
			c, err := s.Corpus(nil, textsOf(docs))
			if err != nil {
				return err
			}
			got, err := ask(c, text)
			if err == nil && !cmp.Equal(got, want) {
				t.Fatalf("%q: a wrong answer: %s", text, cmp.Diff(want, got))
			}
			return err
		}
		i := r.IntN(len(asked))
		switch err := again(asked[i], want[i]); {
		case err == nil:
			answered++
		case errors.Is(err, segment.ErrCorrupt) || errors.Is(err, segment.ErrVersion):
			refused++
		default:
			t.Fatalf("an error that does not say what to do: %v", err)
		}
	}
	t.Logf("%d cases: %d answered as by a scan, %d refused", cases, answered, refused)
	if refused == 0 || answered == 0 {
		t.Error("the cases try one thing only")
	}
}
