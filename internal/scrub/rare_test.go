package scrub_test

import (
	"strings"
	"testing"

	"ken/internal/memory"
	"ken/internal/scrub"
)

// TestShared: turns that repeat the word that matters, and not the sentence, are named and
// stay; common words, words of other memories and words that many turns have name nothing.
func TestShared(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write("device.json", `{"log":"desk-19c4"}`)
	h.write("memory.jsonl", meta,
		`{"id":1,"kind":"fact","content":"the staging host of the shop is called Grünspecht"}`,
		`{"id":2,"kind":"fact","content":"the shop sells kettles, number 4711 among them"}`,
		`{"id":3,"kind":"fact","content":"the number of the safe is 4712"}`)
	lines := []string{`{"meta":{"format":1,"session":"s1","started":"2026-05-10T19:00:01Z","channel":"terminal"}}`}
	for _, text := range []string{
		"what was the name again?", "it is gru\u0308nspecht, as you said", "and the shop is called?", "4711 is sold out", "staging is slow", "staging again", "staging, staging", "about staging", "the safe has 4712 on it",
		"and the staging host of the shop is called Grünspecht",
	} {
		lines = append(lines, `{"role":"user","content":"`+text+`"}`)
	}
	h.write("sessions/s1.jsonl", lines...)
	p, proof := h.must(scrub.Want{IDs: []memory.ID{memory.Num(1)}})
	if len(p.Shared) != 1 || p.Shared[0].Ref != "s1:2" || p.Shared[0].Word != "grünspecht" || len(p.Turns) != 1 || proof.Hits != 0 {
		t.Errorf("shared %+v, turns %v, hits %d", p.Shared, p.Turns, proof.Hits)
	}
	if !strings.Contains(h.read("sessions/s1.jsonl"), "nspecht, as you said") {
		t.Error("a turn that was only named is gone")
	}
	p, _ = h.must(scrub.Want{IDs: []memory.ID{memory.Num(3)}})
	if len(p.Shared) != 1 || p.Shared[0].Word != "4712" {
		t.Errorf("shared %+v", p.Shared)
	}
	h.must(scrub.Want{Turns: []memory.Turn{{Session: "s1", N: 2}}})
	if strings.Contains(h.read("sessions/s1.jsonl"), "nspecht") {
		t.Error("a turn that was named to go is there")
	}
}
