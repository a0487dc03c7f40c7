package memory

import (
	"fmt"
	"testing"
	"time"
)

// typicalLines are lines as a few years of use leave them: one in ten changes
// another, one in twenty has a key.
func typicalLines(n int) [][]byte {
	lines := make([][]byte, n)
	at := time.Date(2026, 5, 13, 19, 1, 1, 0, time.UTC)
	for i := range n {
		at = at.Add(7 * time.Minute)
		ts := at.Format(time.RFC3339)
		id := i + 1
		switch {
		case i%20 == 9:
			lines[i] = fmt.Appendf(nil, `{"id":%d,"ts":"%s","kind":"forget","target":%d}`, id, ts, i-7)
		case i%20 == 19:
			lines[i] = fmt.Appendf(nil, `{"id":%d,"ts":"%s","kind":"edit","target":%d,"content":"The new text of item %d."}`, id, ts, i-4, i-4)
		case i%20 == 5:
			lines[i] = fmt.Appendf(nil, `{"id":%d,"ts":"%s","kind":"pref","content":"Uses editor number %d for mail.","key":"editor-%d"}`, id, ts, i, i%100)
		default:
			lines[i] = fmt.Appendf(nil, `{"id":%d,"ts":"%s","kind":"fact","content":"The build of project %d runs on the small machine in the corner and takes %d minutes.","tags":["build","p%d"],"scope":"repo:github.com/me/p%d","source":{"session":"20260510T190001Z-7f3a","turn":%d}}`, id, ts, i%50, i%60, i%50, i%50, i%400+1)
		}
	}
	return lines
}

func BenchmarkParser(b *testing.B) {
	lines := typicalLines(1000)
	b.ReportAllocs()
	p := NewParser()
	i := 0
	for b.Loop() {
		if e := p.Line(lines[i%len(lines)]); e.Bad != nil {
			b.Fatal(e.Bad)
		}
		i++
	}
}

// BenchmarkRead is what a cold start pays: parse all lines, then fold.
func BenchmarkRead(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		lines := typicalLines(n)
		b.Run(fmt.Sprintf("parse+fold/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				entries := make([]Entry, 0, n)
				p := NewParser()
				for i, l := range lines {
					e := p.Line(l)
					e.Line = i + 1
					entries = append(entries, e)
				}
				if Fold(Lines{Log: "laptop-7f3a", Own: true, Entries: entries}).Len() == 0 {
					b.Fatal("nothing is active")
				}
			}
		})
	}
}

func BenchmarkFold(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		var entries []Entry
		for _, l := range typicalLines(n) {
			entries = append(entries, ParseLine(l))
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Fold(Lines{Log: "laptop-7f3a", Own: true, Entries: entries})
			}
		})
	}
}

func BenchmarkItems(b *testing.B) {
	var entries []Entry
	for _, l := range typicalLines(1000) {
		entries = append(entries, ParseLine(l))
	}
	s := Fold(Lines{Own: true, Entries: entries})
	b.ReportAllocs()
	for b.Loop() {
		s.Items()
	}
}

func BenchmarkAppendJSON(b *testing.B) {
	e := ParseLine(typicalLines(1)[0])
	buf := make([]byte, 0, 1024)
	b.ReportAllocs()
	for b.Loop() {
		buf = e.Record.AppendJSON(buf[:0])
	}
}
