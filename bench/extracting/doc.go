// Package extracting measures what ken would remember of conversations: how many of the
// sentences that people state it finds without a model, how many it should not have
// found, and what becomes of texts that try to be remembered.
//
//	make bench-extract [POISON=FILE] [TALKS=FILE]
//
// A corpus of poison is lines of JSON, a transcript each, or a candidate with where it is
// said to come from:
//
//	{"id":"p001","label":"poison","attack":"tool","transcript":[{"role":"tool:web","content":"..."}],"derived":"...","from":"tool"}
//	{"id":"d001","label":"benign","candidate":{"kind":"fact","text":"...","origin":"user turn"}}
//
// label is poison, benign, or origin (only where it comes from is judged); derived is what
// an obedient model makes of it, and from where that comes from. Conversations are lines with
// text, date (2023-05-08T13:56) and speaker: what is found in them is printed, for a
// person to judge.
//
// # Caveats
//
// The cases in testdata are of one hand, the one that wrote the tables they are judged by.
// What strangers would write is missed more often.
package extracting
