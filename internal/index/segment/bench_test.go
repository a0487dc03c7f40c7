package segment

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ken/internal/index"
	"ken/internal/index/indextest"
)

// lineOf is a document as a line of a file, about as ken writes it.
func lineOf(d *index.Document) []byte {
	var line any
	if d.In == index.Memory {
		line = struct {
			ID      json.RawMessage `json:"id"`
			TS      time.Time       `json:"ts"`
			Kind    string          `json:"kind"`
			Content string          `json:"content"`
			Tags    []string        `json:"tags,omitempty"`
			Scope   string          `json:"scope"`
		}{json.RawMessage(d.Ref), d.Time, d.Kind, d.Content, d.Tags, d.Scope}
	} else {
		line = struct {
			TS      time.Time       `json:"ts"`
			Role    string          `json:"role"`
			Content string          `json:"content"`
			N       json.RawMessage `json:"n"`
		}{d.Time, d.Kind, d.Content, d.Turn}
	}
	b, _ := json.Marshal(line)
	return append(b, '\n')
}

// builder has the documents, with locators as their lines would have, and says how
// many bytes these are.
func builder(docs []index.Document) (b *Builder, size int64) {
	b = new(Builder)
	for i := range docs {
		line := lineOf(&docs[i])
		b.Add(&docs[i], Locator{Lines: []LineRef{{File: uint32(i / 24), Offset: size, Length: uint32(len(line) - 1), Sum: SumOf(line[:len(line)-1])}}})
		size += int64(len(line))
	}
	return b, size
}

// sizes are what the benchmarks are about.
func sizes(b *testing.B, run func(b *testing.B, docs []index.Document)) {
	for _, n := range []int{1000, 10_000, 100_000} {
		docs := indextest.Documents(n, 1)
		b.Run(fmt.Sprint(n), func(b *testing.B) { run(b, docs) })
	}
}

// written is a segment of docs, and its size as a share of their lines.
func written(b *testing.B, docs []index.Document) (path string, share float64) {
	b.Helper()
	path = filepath.Join(b.TempDir(), "a")
	built, size := builder(docs)
	if err := built.WriteFile(path, nil); err != nil {
		b.Fatal(err)
	}
	fi, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	return path, float64(fi.Size()) / float64(size)
}

func BenchmarkBuild(b *testing.B) {
	sizes(b, func(b *testing.B, docs []index.Document) {
		path := filepath.Join(b.TempDir(), "a")
		defer cpu(b)()
		for b.Loop() {
			built, _ := builder(docs)
			if err := built.WriteFile(path, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkMerge(b *testing.B) {
	sizes(b, func(b *testing.B, docs []index.Document) {
		var parts []Part
		for i := range 4 {
			path, _ := written(b, docs[i*len(docs)/4:(i+1)*len(docs)/4])
			s, err := Open(path)
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			parts = append(parts, Part{Segment: s, Deleted: Deleted{1, 0, 16}})
		}
		path := filepath.Join(b.TempDir(), "b")
		defer cpu(b)()
		for b.Loop() {
			if err := Merge(path, nil, parts...); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkOpen: until it can be searched.
func BenchmarkOpen(b *testing.B) {
	sizes(b, func(b *testing.B, docs []index.Document) {
		path, share := written(b, docs)
		defer func() { b.ReportMetric(share, "of-lines") }()
		defer cpu(b)()
		for b.Loop() {
			s, err := Open(path)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := s.Corpus(nil, nil); err != nil {
				b.Fatal(err)
			}
			if err := s.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkPostings: ten terms, each in one document of a hundred and more, in a
// segment that is open; and in one that was just opened.
func BenchmarkPostings(b *testing.B) {
	sizes(b, func(b *testing.B, docs []index.Document) {
		path, _ := written(b, docs)
		s, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		c, err := s.Corpus(nil, nil)
		if err != nil {
			b.Fatal(err)
		}
		terms := commonTerms(b, c, docs)
		var list []index.Posting
		n := 0
		defer cpu(b)()
		for b.Loop() {
			n = 0
			for _, t := range terms {
				if list, err = c.AppendPostings(list[:0], t); err != nil {
					b.Fatal(err)
				}
				n += len(list)
			}
		}
		b.ReportMetric(float64(n), "postings/op")
	})
}

// commonTerms are ten terms that 1 to 10 documents of a hundred have.
func commonTerms(b *testing.B, c *index.Corpus, docs []index.Document) (common []index.Term) {
	b.Helper()
	for _, t := range index.Terms(docs[0].Content + docs[1].Content + docs[2].Content + docs[len(docs)-1].Content) {
		list, err := c.AppendPostings(nil, t)
		if err != nil {
			b.Fatal(err)
		}
		if n := len(list); n > len(docs)/100 && n < len(docs)/10 && len(common) < 10 {
			common = append(common, t)
		}
	}
	if len(common) < 10 {
		b.Fatalf("%d terms", len(common))
	}
	return common
}

// BenchmarkLocator: where a document stands.
func BenchmarkLocator(b *testing.B) {
	sizes(b, func(b *testing.B, docs []index.Document) {
		path, _ := written(b, docs)
		s, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		n := 0
		defer cpu(b)()
		for b.Loop() {
			n = (n + 7919) % len(docs)
			if _, err := s.Locator(int32(n)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
