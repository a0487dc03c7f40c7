package memory

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestParserIsParseLine: what a Parser has read before changes nothing about
// what it reads, and what it reads later changes nothing about that.
func TestParserIsParseLine(t *testing.T) {
	odd := []string{
		"", "plain", "[", "\x00", `{"id":1`, `{"meta":{"format":1,"log":"a-1"}}`, `{"id":1,"content":"c","x":[1],"tags":["a","a"]}`,
		`{"id":1,"kind":"edit","target":2,"tags":null,"y":null}`, `{"id":2,"content":"c","tags":[]}`, `{"id":2,"content":"c","tags":["a",1]}`,
		`{"id":3,"content":"c","source":{}}`, `{"id":3,"content":"c","source":7}`, `{"id":4,"kind":"meta_policy","content":"c"}`,
		"{\"id\":5,\"content\":\"\xff\",\"key\":\"\xff\"}", "{\"id\":5,\"content\":\"\xff\",\"key\":\"\\u00e9\"}", `{"content":"no id"}` + "\r",
		`{"id":6,"content":"c","phase":"fluid","tier":"hot","expires":"2026-06-01"}`, `{"id":6,"content":"c","origin":7,"origin":7,"key":7}`,
	}
	rapid.Check(t, func(t *rapid.T) {
		p := NewParser()
		var got, want []Entry
		for range rapid.IntRange(1, 40).Draw(t, "lines") {
			line := []byte(rapid.SampledFrom(odd).Draw(t, "odd"))
			if rapid.Bool().Draw(t, "record?") {
				line = genRecord().Draw(t, "record").AppendJSON(nil)
			}
			want = append(want, ParseLine(bytes.Clone(line)))
			got = append(got, p.Line(line))
			for i := range line {
				line[i] = 'x' // nothing of the line is kept
			}
		}
		errs := cmp.Transformer("error", func(e *LineError) string {
			if e == nil {
				return ""
			}
			return e.Error()
		})
		if diff := cmp.Diff(want, got, errs, cmp.AllowUnexported(Entry{})); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestParserAllocates: a line of the common kind asks for memory for its content
// and its tags; the rest is shared or comes in blocks.
func TestParserAllocates(t *testing.T) {
	lines := typicalLines(1000)
	p := NewParser()
	read := func() {
		for _, line := range lines {
			p.Line(line)
		}
	}
	read()
	if n := testing.AllocsPerRun(5, read) / float64(len(lines)); n > 3 {
		t.Errorf("%.1f allocations a line", n)
	}
}

// TestSums: a line has the CRC-32C of its bytes, among few lines and among many.
func TestSums(t *testing.T) {
	t.Parallel()
	p := NewParser()
	for n := range 2 * manySums / 100 {
		line := fmt.Appendf(nil, `{"id":%d,"content":%q}`, n+1, strings.Repeat("é", n%100))
		want := Sum(crc32.Checksum(line, crc32.MakeTable(crc32.Castagnoli)))
		if got, alone := p.Line(line).Sum, SumOf(line); got != want || alone != want {
			t.Fatalf("line %d: %v, alone %v, want %v", n, got, alone, want)
		}
	}
	if p.summed < manySums {
		t.Errorf("only %d bytes were summed up", p.summed)
	}
}
