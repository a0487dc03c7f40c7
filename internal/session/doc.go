// Package session keeps conversations: one JSONL file per session, one line
// per turn or event, in the order in which they happened. It writes, reads,
// lists, renames and copies these files, and says which part of a resumed
// conversation is still live. What ken knows is not here but in the memory
// log; a session says what was talked about.
//
// # Format
//
// The first line is a header; every other line is a turn (it has a role) or an
// event (it has an event and no role):
//
//	{"meta":{"format":1,"session":"20260510T190001Z-7f3a","started":"2026-05-10T19:00:01Z","model":"fast","channel":"terminal"}}
//	{"ts":"2026-05-10T19:00:04Z","role":"user","content":"why does the kettle test hang?","n":1}
//	{"ts":"2026-05-10T19:00:09Z","role":"assistant","content":"It waits for a port.","n":2,"model":"fast","finish":"stop"}
//	{"ts":"2026-05-10T19:01:30Z","event":"exec","cmd":"go test ./kettle","exit":1,"bytes":512}
//	{"ts":"2026-05-10T19:03:00Z","event":"compact","summary":"The kettle test hung on a port.","keep_from":9}
//
// The session id is the name that the file got when it was made, without
// ".jsonl": UTC time and four hexadecimal digits. It stands in the header and
// never changes; the file may be renamed. A file without a header (written by
// hand, or by another program) is a session all the same, with its name as id.
//
// The number n counts turns from 1 and stays with its line, so that deleting a
// line moves no other; a turn without n has its place among the turns as
// number. "20260510T190001Z-7f3a:2" names a turn everywhere in ken.
//
// The optional fields are those of Turn and Header. Values under usage,
// tool_calls, raw and unknown names are kept byte for byte, but that a line end
// between two tokens becomes a space. Of events this package reads some: after
// "reset" nothing earlier is live; after "compact" its summary is, with the
// turns from keep_from on; "unanswered" and "left" say which turns are not. Times are RFC 3339 in UTC, to the second; readers
// take fractions, offsets and seconds since 1970.
//
// # Laws
//
//   - What was written is read back equal.
//   - A file that is cut off at any byte loads, but for the line that was cut.
//   - A line that cannot be read costs that line alone; its number is reported and
//     its bytes stay. A new line never glues to a torn one.
//   - Unknown fields, events and roles survive.
//   - A session has at most one writer among the processes that share a Run
//     directory. It holds <Run>/<session>.lock for its life, and the lock of
//     the data directory for each append; in that order. Readers take no lock.
//   - A session without a turn or a command that ran leaves no file.
//
// # Caveats
//
// Nothing is masked or cleaned here: mask secrets and strip control sequences
// before a text is handed in. Unless Dir.SyncLines is set, lines reach the
// disk when the Writer is closed or saved: a crash of ken loses nothing, a
// crash of the machine may lose the last turns. A session file without header
// that is renamed has a new id.
package session
