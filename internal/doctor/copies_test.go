package doctor

import "testing"

func TestIsCopy(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"memory.jsonl": false,
		"memory.sync-conflict-20261121-090001-ABCDEFG.jsonl": true,
		"memory (Ada's conflicted copy 2026-11-21).jsonl":    true,
		"memory_conflict-20261121-090001.jsonl":              true,
		"memory-DESKTOP-7F3A.jsonl":                          true,
		"memory (1).jsonl":                                   true,
		"memory 2.jsonl":                                     true,
		"memory.jsonl.Conflict":                              true,
		"memory.Conflict":                                    true,
		"memory.jsonl~":                                      true,
		"memory.jsonl.bak":                                   true,
		"MEMORY.md":                                          false,
		"memories.txt":                                       false,
		".memory.jsonl.new":                                  false,
		"review.jsonl":                                       false,
		"memory":                                             false,
	} {
		if got := isCopy(name, "/home/x/memory.jsonl"); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
