// Package memory says what a memory is: the record that stands on a line, the
// log that lines are appended to, and the fold that turns lines into the state
// a person sees. It does no I/O and reads no clock.
//
// # Terms
//
// A record is one line of a log. A stating record says something ("fact",
// "pref", ...); a changing record alters another by its target ("forget",
// "edit", ...). An item is what the fold makes of one stating record and all
// changes of it. The state is all items of a union of logs.
//
// # Laws
//
//   - The fold is deterministic, and does not depend on how the lines of
//     several logs were interleaved.
//   - A tombstone wins wherever it stands: before its target, in another log,
//     or with an older time.
//   - A line that cannot be read costs that line alone.
//   - Fields and kinds that this version does not know survive being read and
//     written.
//   - Undoing a line gives the same active items, fields and order as if the
//     line had never been written; numbers stay spent.
//   - Trust never rises: an item has the lowest origin of the lines that made
//     it, and never more than the ceiling of its log.
//
// # Caveats
//
// Order is the order of the file. Clocks decide only between logs, and there
// by the largest time seen so far in each log, so that a clock that jumps back
// cannot reorder one log's own lines.
package memory
