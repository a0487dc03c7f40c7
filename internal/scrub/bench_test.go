package scrub_test

import (
	"fmt"
	"testing"

	"ken/internal/scrub"
)

// BenchmarkErase erases one memory of a hundred thousand, which twenty of a
// thousand conversations quote, with plan and proof.
func BenchmarkErase(b *testing.B) {
	const text = "the very special plum of the harbour master"
	for b.Loop() {
		b.StopTimer()
		h := &house{t: b, dir: b.TempDir()}
		lines := []string{meta}
		for i := range 100_000 {
			lines = append(lines, fmt.Sprintf(`{"id":%d,"kind":"fact","content":"User prefers terse responses and no summaries at the end of turn %d"}`, i+2, i))
		}
		h.write("memory.jsonl", append(lines, `{"id":1,"kind":"fact","content":"`+text+`"}`)...)
		for s := range 1000 {
			turns := []string{head}
			for n := range 40 {
				said := fmt.Sprintf("Why does test %d of package %d fail when it is run with the race detector, and only then?", n, s)
				if s%50 == 0 && n == 7 {
					said += " Ask " + text
				}
				turns = append(turns, fmt.Sprintf(`{"ts":"2026-05-10T19:00:04Z","role":"user","content":"%s","n":%d}`, said, n+1))
			}
			h.write(fmt.Sprintf("sessions/s%d.jsonl", s), turns...)
		}
		b.StartTimer()
		p, proof := h.must(scrub.Want{IDs: ids("1")})
		if len(p.Turns) != 20 || proof.Files < 1000 {
			b.Fatalf("%d turns, %d files", len(p.Turns), proof.Files)
		}
	}
}
