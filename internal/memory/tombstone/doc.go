// Package tombstone is the list of what was erased on this device, without any of
// its text: which line of which log, and the sum of its bytes. The log itself says
// so too, but an older copy of the log, from a backup or another branch, does
// not: with the list, what comes back that way stays hidden, and is reported.
//
// The list also knows of an erasing that was begun and never finished.
//
//	{"ts":"2026-05-13T19:00:00Z","ref":"desk-19c4/7","sum":"9f3a11c0","keyed":true}
//	{"ts":"2026-05-13T19:00:01Z","ref":"desk-19c4/7","sum":"9f3a11c0","done":true,"keyed":true}
//
// A sum is sealed with the person's key (memory.Seal), and so is the reference of a line
// that had no id, which is a hash of it. Lines without "keyed" are of older versions;
// they count, and Rehash seals them.
//
// # Laws
//
//   - Nothing in the list can be turned back into what was erased.
//   - A line is on the list only by its bytes: another one that gets its number
//     later, in a log that was set back, is not.
//
// # Caveats
//
// The list belongs to one device and is not synced. A line that is written anew,
// with another time, is a new line: whoever states a text again means it.
package tombstone
