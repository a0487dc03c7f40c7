package doctor

import (
	"path/filepath"
	"strings"
)

// isCopy reports whether a file beside the file of lines at path looks like a copy of
// it, by its name alone: of a program that keeps a directory the same on several
// machines, when two of them wrote at once, of an editor, or of a person.
//
//	memory.sync-conflict-20261121-090001-ABCDEFG.jsonl
//	memory (Ada's conflicted copy 2026-11-21).jsonl
//	memory_conflict-20261121.jsonl   memory-DESKTOP-7F3A.jsonl   memory (1).jsonl   memory 2.jsonl
//	memory.jsonl.Conflict            memory.jsonl~               memory.jsonl.bak
func isCopy(name, path string) bool {
	base := filepath.Base(path)
	stem := strings.TrimSuffix(base, ".jsonl")
	lower := strings.ToLower(name)
	return name != base && strings.HasPrefix(name, stem) && (strings.Contains(lower, ".jsonl") || strings.Contains(lower, "conflict"))
}
