// Package trace records which memories an answer was given, and reads that back:
// the event "why" of a session file. It is how "why did you say that" has an exact
// answer long afterwards.
//
// # Format
//
//	{"ts":"2026-05-10T19:00:09Z","event":"why","n":2,
//	 "chosen":[{"ref":"3","h":"1a2b3c4d","parts":{"words":1.8,"stems":5.8},"tokens":14},
//	           {"ref":"1","h":"99e01f27","parts":{},"tokens":9,"in":"background"}],
//	 "passed":[{"ref":"7","reason":"budget used up","in":"background"}],
//	 "budget":{"tokens":800,"items":12,"background":500},"keyed":true,
//	 "asked":"2026-05-10T19:00:07Z","uses":"2026-05-10T18:51:40Z",
//	 "docs":[{"file":"AGENTS.md","sha256":"...","bytes":2100,"of":2100}],
//	 "context":{"working":"expired","profile":true,"expires":"2026-05-24T19:00:09Z"}}
//
// all on one line. n is the turn of the answer. What has "in":"background" stood in
// the start-up block; its parts are those of its agreement with the question, if it
// had any. "keyed" says that the sums are sealed with the person's key (memory.Seal),
// so that no text can be tried against them; without it they are of an older version,
// and Rehash seals them. asked is
// when it was chosen, and uses up to when it was known then what had been of use: with
// them the choice can be made again. docs are files that the
// repository has for agents, of which so many bytes went along.
// What another assistant was given says so instead, in a session of its own (Header.Agent) without turns:
//
//	{"ts":"2026-05-10T19:00:09Z","event":"why","agent":"claude","thread":"0199-7f3a","by":"recall",
//	 "chosen":[{"ref":"3","h":"1a2b3c4d","parts":{},"tokens":0}],"keyed":true}
//
// Of what was passed over it says that the start-up block had no place for it,
// and that it has nothing to do with the question. The reasons are those of package recall.
//
// # Laws
//
//   - A trace holds references and sums, and no text: forgetting and erasing have
//     nothing to do in it.
//   - A trace that is written is read back equal; what cannot be read of a line
//     costs that part alone.
package trace
