// Package regular opens files that ken expects to be plain files of its own:
// its settings, keys, locks and logs, and what lies beside them.
//
// Anything may stand at a name in a directory that belongs to a person and to
// the programs that they use: a pipe that nobody writes to, a link to
// /dev/zero, a directory, a file of a hundred gigabytes. Whoever opens such a
// name with package os waits for ever or reads until the memory is full, and a
// look at it beforehand proves nothing: between the look and the opening the
// name may come to mean another thing.
//
// So the functions here open without waiting, look at what was opened, and
// close it again unless it is a regular file. Read returns no more than the
// caller says. A symbolic link to a regular file is followed: people keep their
// settings in repositories.
//
// # Use
//
// Read, for small files that are taken whole (a key, a name, settings): an
// error beyond the bound, never a part. Open, for files that are read by lines
// in bounded memory. OpenFile, for what is written or locked. OpenIn and ReadIn,
// for files below a directory that must not lead outside of it.
//
// Expand and Short are the one rule for the "~" of a path that a person wrote or reads.
//
// # Caveats
//
// A file system that does not answer (a dead network mount) still blocks.
// On Windows, which has no opening without waiting, the name is looked at
// before it is opened and what was opened is looked at again.
package regular
