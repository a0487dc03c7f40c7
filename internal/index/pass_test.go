package index_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/index"
	"ken/internal/index/indextest"
)

// pieces are what texts of the tests are made of: words with their forms, names of several parts, marks and
// spaces that hold words together or do not, scripts without spaces, and characters that are the same written otherwise.
const pieces = "tea teas went go goes going men man's dying die skies Sky relational relate sensibility sensible happy happier " +
	"parseHTTPHeader foo-bar foo_bar foo.bar a/b/c.go C++ C# c x 1 42 3.14 1,000 2026-05-10 v2 #tag @me don't 'tis it's l'avion rock'n'roll " +
	"é École ecole naïve Straße STRASSE ﬁsh fish ｆｕｌｌ " +
	"ünder şık ı İstanbul " +
	"東京 東京タワー ｶﾞ ガ 한국어 ภาษาไทย " +
	"😀 👩‍💻 ½ ① \u0301 e\u0301 \u00ad so\u00adft \u200b \ufe0f \xff"

const between = "  \n \t \r \r\n . , ; : - _ / ' ’ \" ( ) ! \u00a0 \u3000 \u2028 \v \f \x00 \u0301 \u200d"

func text(r *rapid.T, name string) string {
	words, marks := strings.Split(pieces, " "), append(strings.Split(between, " "), " ", " ", " ", "")
	var b strings.Builder
	for range rapid.IntRange(0, 9).Draw(r, name) {
		b.WriteString(rapid.OneOf(rapid.SampledFrom(words), rapid.SampledFrom(words), rapid.StringN(1, 3, 9)).Draw(r, "word"))
		b.WriteString(rapid.SampledFrom(marks).Draw(r, "mark"))
	}
	return b.String()
}

// TestPass (L2): what the texts are read for is found as in each document by itself, and so are all terms.
func TestPass(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		var docs []index.Document
		for i := range rapid.IntRange(1, 4).Draw(r, "documents") {
			d := index.Document{Ref: fmt.Sprint(i), Kind: "fact", Content: text(r, "content"), Key: text(r, "key"), Speaker: text(r, "speaker")}
			if rapid.Bool().Draw(r, "tagged") {
				d.Tags = []string{text(r, "tag"), text(r, "tag")}
			}
			docs = append(docs, d)
		}
		want := make(map[index.Term][]index.Posting)
		words := make([]int32, len(docs))
		for i := range docs {
			words[i] = docs[i].Count(func(term index.Term, n [index.Fields]uint16) {
				want[term] = append(want[term], index.Posting{Doc: int32(i), Counts: n})
			})
		}
		all := slices.Collect(maps.Keys(want))
		for _, none := range []string{"zz", "te", "diing"} {
			all = append(all, index.Term{Form: index.Word, Text: none}, index.Term{Form: index.Stem, Text: none})
		}
		prefix := rapid.SampledFrom([]string{"t", "te", "sens", "foo-", "é", "東", "str", "ガ", "zz", ""}).Draw(r, "prefix")
		var begun []string
		for term := range want {
			if term.Form == index.Word && strings.HasPrefix(term.Text, prefix) {
				begun = append(begun, term.Text)
			}
		}
		slices.Sort(begun)
		slices.SortFunc(all, func(a, b index.Term) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		for len(all) > 0 { // a few at a time, from the first questions to those after all was read
			n := min(rapid.IntRange(1, 12).Draw(r, "terms"), len(all))
			some := all[:n]
			all = all[n:]
			c := index.NewScan(slices.Values(docs))
			if rapid.Bool().Draw(r, "prepared") {
				c.Prepare(some)
			}
			if rapid.Bool().Draw(r, "begun") {
				var got []string
				worder, ok := c.Reader.(index.Worder)
				if !ok {
					r.Fatal("a scan knows no words")
				}
				err := worder.Words(prefix, func(w string) bool {
					got = append(got, w)
					return true
				})
				if err != nil || !slices.Equal(got, begun) {
					r.Errorf("%q begins %q, %v; want %q", prefix, got, err, begun)
				}
			}
			for _, term := range some {
				got, err := c.AppendPostings(nil, term)
				if err != nil {
					r.Fatal(err)
				}
				if diff := cmp.Diff(want[term], got); diff != "" {
					r.Errorf("%q in %+v: %s", term, docs, diff)
				}
			}
			for i := range docs {
				if got := c.Rows.At(int32(i)).Words; got != words[i] {
					r.Errorf("%q has %d words, want %d", docs[i].Content, got, words[i])
				}
			}
		}
	})
}

// TestPassReads: a question for many terms reads each text once more than knowing the documents does, also
// if it is asked for several times; questions without end read them some ten times.
func TestPassReads(t *testing.T) {
	t.Parallel()
	docs := indextest.Documents(200, 9)
	read := 0
	c := index.ScanOf(len(docs), func(doc int32) index.Document {
		read++
		return docs[doc]
	})
	wanted := index.Terms("kato kari menlin mensol and some others")
	before := read
	for range 3 {
		c.Prepare(wanted)
		for _, term := range wanted {
			if _, err := c.AppendPostings(nil, term); err != nil {
				t.Fatal(err)
			}
		}
	}
	if read-before != len(docs) {
		t.Errorf("%d documents were read, want each of %d once", read-before, len(docs))
	}
	for i := range 100 {
		if _, err := c.AppendPostings(nil, index.Term{Form: index.Word, Text: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if most := 10 * len(docs); read > most {
		t.Errorf("%d documents were read, want at most %d", read, most)
	}
}

// TestPassAtOnce: questions at one time get what each gets alone, also while all texts are read.
func TestPassAtOnce(t *testing.T) {
	t.Parallel()
	docs := indextest.Documents(300, 4)
	c := index.NewScan(slices.Values(docs))
	var all sync.WaitGroup
	for n := range 12 {
		term := index.Terms(docs[n*20].Content)[0]
		all.Go(func() {
			got, err := c.AppendPostings(nil, term)
			var want []index.Posting
			for i := range docs {
				docs[i].Count(func(of index.Term, counts [index.Fields]uint16) {
					if of == term {
						want = append(want, index.Posting{Doc: int32(i), Counts: counts})
					}
				})
			}
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("%q: %v %s", term, err, diff)
			}
			if words := docs[n].Count(func(index.Term, [index.Fields]uint16) {}); c.Rows.At(int32(n)).Words != words {
				t.Errorf("document %d has %d words, want %d", n, c.Rows.At(int32(n)).Words, words)
			}
		})
	}
	all.Wait()
}
