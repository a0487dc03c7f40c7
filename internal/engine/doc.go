// Package engine owns one person's memory: the log of this device, the replicas
// of their other devices, and the state they fold to. It is the only writer.
//
// Every write is one append of whole records under the log's lock, checked and
// masked before, durable when the call returns, and answered with a Receipt
// that names the lines written, so that undoing is always one command away.
//
// # Laws
//
//   - A call that returns an error has written nothing, unless the error is of
//     the disk and says otherwise (*jsonl.SyncError).
//   - What names several items changes all of them or none.
//   - A read that fails costs what it would have brought, never what was read
//     before: half a replica might lack the line that forgets what the other
//     half says.
//   - A State never changes, whatever is appended later.
//   - What an active item says already is not stated twice, though several
//     processes try at once; and the answer is that of a look at all items.
//
// # Caveats
//
// Reading and writing are separate on purpose: Remember does not read the log
// of this device, so a cold `ken remember` costs nearly the same at ten items and
// at a hundred thousand. That something like it stands already, or that a rule may have
// its key, it learns from Sketches that the log keeps, 8 bytes for each text and each such
// key; only then is the state read, to see what became of it. It reads replicas if there are any, since they
// may name numbers of this log that were lost here. Writes that name items have to know
// them: they read, and fold if there was something new.
//
// State reads only what was appended since it was last called, and starts again
// from the beginning when a person edited the file; but it folds all of it
// again after any change.
package engine
