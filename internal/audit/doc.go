// Package audit keeps the account of what ken did by itself and of what a person
// allowed: one line for each act in audit.jsonl. A line names what it was about by
// reference and holds no text, so that forgetting and erasing have nothing to do in
// it.
//
//	{"ts":"2026-05-10T19:00:09Z","act":"compact","session":"20260510T190001Z-7f3a","count":28}
//	{"ts":"2026-05-11T08:00:00Z","act":"archive","refs":["12","17"],"by":"hygiene"}
//
// Nothing reads the file to decide anything.
package audit
