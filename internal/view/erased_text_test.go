package view

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/memory"
)

// TestEraseReport: what goes, what stays and what was found, as a person reads it.
func TestEraseReport(t *testing.T) {
	t.Parallel()
	verb := func(command string) string { return ":" + command }
	r := EraseReport{
		Erased: []ErasedMemory{{Ref: "3", Text: "tea\x1b[2J at noon"}, {Ref: "4", Same: true, Text: "tea at noon"}, {Ref: "5"}},
		Lines:  2, Turns: []ErasedTurn{{Ref: "s:1", Why: "says it"}}, Sessions: 1, Proposals: 1,
		CitedBy: []string{"9"}, Untouched: 2, Known: true,
		Similar: []Similar{{Ref: "7", ID: memory.Num(7), Text: "tea at one"}},
		Shared:  []Shared{{Ref: "s:8", Word: "noon", Text: "noon it is"}},
	}
	if got := r.Sum(); got != "2 lines, 1 turn, 1 proposal" {
		t.Errorf("the sum: %s", got)
	}
	want := []string{
		"#3: tea at noon", "#4: tea at noon (says the same)", "#5: erased before; its text is not known any more", "2 lines of the memory",
		"1 turn in 1 conversation: s:1 (says it)", "1 proposal of the review queue",
		"rests on it, and stays: #9 (to have that go too: :forget 9)",
		"the text is short: 2 turns that have it among other words stay (:sessions search)",
		`stays, and shares the word "noon" with it: turn s:8 (noon it is)`, "to erase such turns too: :forget --for-good s:8",
	}
	if diff := cmp.Diff(want, r.Plan(verb)); diff != "" {
		t.Errorf("the plan (-want +got):\n%s", diff)
	}
	r.Proof = &Proof{Files: 4, Bytes: 12_345, Hits: 1, Left: []LeftOver{{Path: "a", Hits: 1, Lines: []int{2}}}, Unread: []string{"b"}}
	done := strings.Join(r.Done(verb), "\n")
	for _, part := range []string{
		"erased #3 #4 #5: 2 lines", "left alone, though it resembles it: #7 (tea at one)", "looked into 4 files, 12 kB: 1 hit",
		"  a: 1 hit, line 2", "  not read: b",
	} {
		if !strings.Contains(done, part) {
			t.Errorf("want %q in\n%s", part, done)
		}
	}
	if got := (EraseReport{}).Sum(); got != "what other files hold of it" {
		t.Errorf("nothing: %s", got)
	}
}

// TestMasked: what is masked, what stays and what was found, as a person reads it.
func TestMasked(t *testing.T) {
	t.Parallel()
	m := Masked{
		Masked: []Occurrence{{Path: "memory.jsonl", Line: 3, Ref: "2", Kinds: []string{"key"}, Text: "the key [key]"}},
		Kept:   []Occurrence{{Path: "x", Kinds: []string{"token"}, Kept: "kept with --force"}}, Words: 1,
		Proof: &MaskProof{Files: 2, Left: 1, At: []Occurrence{{Path: "y", Kinds: []string{"key"}}}},
	}
	const plan = `memory.jsonl:3 #2 (key): "the key [key]"
stays: x (token): kept with --force
1 secret could be ordinary words: masked where something says that they are secrets, and not looked for elsewhere`
	if diff := cmp.Diff(plan, strings.Join(m.Plan(), "\n")); diff != "" || m.Sum() != "1 place in 1 file" {
		t.Errorf("%s; the plan (-want +got):\n%s", m.Sum(), diff)
	}
	done := strings.Join(m.Done(), "\n")
	if !strings.HasPrefix(done, "masked 1 place in 1 file\n") || !strings.Contains(done, "secrets left: 1\n  y (key)") {
		t.Errorf("done:\n%s", done)
	}
}
