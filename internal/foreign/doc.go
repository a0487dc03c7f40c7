// Package foreign takes in what other programs kept: transcripts become
// sessions that can be searched, and never memory.
//
// A transcript is lines of JSON, one for each turn:
//
//	{"session":"standup","turn":3,"ts":"2026-05-10T19:00:04Z","speaker":"Ada","text":"the kettle is red"}
//
// ReadTurns checks the lines, Import adds them to the files below
// sessions/import/, one file for each session.
//
// # Laws
//
//   - A line is taken in whole, or told by its number and left out whole.
//   - Importing what is there already changes no byte; a turn is known by
//     session, scope and its own name. One whose text changed is added again
//     under its number, and the newer line counts.
//   - Session and turn come back as they were given, and fields that are not
//     known are kept.
//   - Nothing is written unmasked.
//
// # Caveats
//
// The speaker's words are of origin import: no prompt gets them unasked.
package foreign
