// Package copies tells the copies of a file that programs make which keep a
// directory the same on several machines, when two machines wrote at once; and
// those that editors and people make.
//
//	memory.sync-conflict-20261121-090001-ABCDEFG.jsonl
//	memory (Ada's conflicted copy 2026-11-21).jsonl
//	memory_conflict-20261121.jsonl   memory-DESKTOP-7F3A.jsonl   memory (1).jsonl   memory 2.jsonl
//	memory.jsonl.Conflict            memory.jsonl~               memory.jsonl.bak
package copies
