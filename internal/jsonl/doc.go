// Package jsonl is the discipline of files that hold one JSON object a line and
// that belong to the person who uses them: memory, sessions, review, usage and
// audit all stand on it.
//
// Such a file is only ever appended to, with one exception (Rewrite). People
// edit it with whatever they like, programs die while they write to it, disks
// fill up. The rules that make this harmless are here, once:
//
//   - A line ends at '\n' and nowhere else. A line that is too long or damaged
//     costs itself, in bounded memory, and never ends a read.
//   - Append is one write of whole lines to the end. If the last line has no
//     end, the write begins by giving it one, so that nothing is ever glued to
//     the remains of an append that was cut off.
//   - Whoever appends or rewrites holds the lock of the directory (LockDir), a
//     file of its own that is never replaced: a lock on the data file would
//     lock a file that a rename has already taken away.
//   - Rewrite makes a new file beside the old one, syncs it, and renames.
//   - A Journal is such a file of records of one kind, and an Edit a change of what
//     stands in a file: whoever keeps records says what they mean, and has no code of
//     its own to read, lock, append or rewrite.
//
// # Laws
//
//   - What Append acknowledged with sync is on the disk: the bytes, and the
//     names that lead to them.
//   - An append that fails leaves the file as it was, as far as the file can
//     still be written to; what it could not take back is isolated by the next
//     append.
//   - Bytes of lines that nobody asked to change are never changed.
//
// # Caveats
//
// Append by itself takes no lock. Editors take none either: between the moment
// a file was read and the moment it is written, its name may come to mean
// another file. AppendAfter and Rewrite notice and refuse with ErrChanged; what
// remains is the time between two system calls.
//
// The calls that change files go through an FS, so that tests can make any of
// them fail; reading goes straight to package os.
//
// # Reasons
//
// The rules of such files were once written seven times, and differed: one file was appended to without the lock,
// one lost fields of later versions. The log of the memory and the conversations have readers of their own,
// because they are read from a position on and held open.
package jsonl
