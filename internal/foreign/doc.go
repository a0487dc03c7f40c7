// Package foreign takes in what other programs kept: what they remember becomes
// candidates, which a person is asked about, and transcripts become sessions that
// can be searched and are never memory.
//
// Read goes through a file of any Format, as it comes: JSON is cut into
// values of bounded size, and of a page of Markdown each point and each short paragraph
// is a candidate. Import adds turns to the files below
// sessions/import/, one file for each session. ken's own form of a transcript is
// lines of JSON, one for each turn:
//
//	{"session":"standup","turn":3,"ts":"2026-05-10T19:00:04Z","speaker":"Ada","text":"the kettle is red"}
//
// # Laws
//
//   - A part of a file is taken in, or reported by its line and left out; the same
//     bytes give the same, however they are read.
//   - No more of a file is held than its largest value, or a page; of a log of
//     ken's its lines, since a later one may forget what an earlier one says.
//   - Importing what is there already changes no byte; a turn is known by
//     session, scope and its own name. One whose text changed is added again
//     under its number, and the newer line counts.
//   - Of ken's own form, session and turn come back as they were given, and fields
//     that are not known are kept.
//   - No turn is written unmasked. Candidates are masked by who proposes them.
//   - Nothing that a file names is opened.
//   - Every byte of a JSON value belongs to one piece. A value that is damaged inside its
//     brackets costs itself alone; one whose brackets do not close costs what follows,
//     and is reported.
//   - No point of a page is a rule, whatever its words, and none is blank or holds what
//     was marked as private.
//
// # Caveats
//
// The words of others are of origin import, or external: no prompt gets them
// unasked. Other programs change their formats without a word: what is not known
// is passed over, so that a newer file costs what is new in it.
package foreign
