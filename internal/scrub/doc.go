// Package scrub takes a text out of every file that ken writes: the logs, the
// queue of suggestions, conversations and imports, what was typed, and what is
// derived. It says before what it would do (Plan), does it (Run), and reads every
// file afterwards to see whether the text is gone (Verify). PlanMask, RunMask and
// VerifyMask do the same for secrets, in whose place a mask stands.
//
// A turn of a conversation that says what is to go keeps its line and says "[erased]";
// of a header or an event each string goes that says it (Rule, File). All other lines
// keep every byte, and the file its time, so that the newest conversation stays the
// newest. The id of a session and the name of its file are names, not texts: they stay.
//
// # Order
//
// The files that are not the log come first, the log last. As long as anything is
// left to do the log therefore still states the item, and erasing it again does
// the rest; each step that was done already does nothing the second time. A
// journal without text notes what was begun, so that an erasing that was cut off
// is reported at the next start.
//
// # What counts as the text
//
// What the item says, each earlier wording of it, and the wording in which it was
// suggested. It is compared without case, blanks and forms of Unicode, wherever it
// stands in a longer text, escaped or not. A short text (one common word, or less
// than four letters) is compared whole: "tea" takes no conversation about tea with
// it. What only resembles the text is listed, and is a person's to decide.
//
// # Laws
//
//   - After Run without an error the text is in no byte of the files that ken
//     writes, and Verify says so.
//   - A turn keeps its line, its number, its role and its time.
//   - Running again changes nothing.
//   - What the plan does not name is not touched.
//
// # Caveats
//
// What others made of the files is not reached: backups, the history of git,
// snapshots of a file system, what a model's operator keeps, the history of
// another shell. Verify names what it sees of it.
//
// # Reasons
//
// The text is known from the log alone. If the log went first, a crash would leave conversations full of a text
// that nobody can name any more. The engine stays the only writer: its one method for this calls the rest first.
// The journal keeps the number and the sealed sum of an erased line, so that a line of an older copy is hidden and
// reported when it comes back. The sum is needed because a log that was set back gives its numbers out again.
// Lines are not removed: numbers, turns and references would move. The look into every file knows no kinds of
// files, so it finds a kind that nobody added here.
package scrub
