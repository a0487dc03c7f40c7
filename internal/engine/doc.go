// Package engine owns one person's memory: the log of this device, the replicas
// of their other devices, and the state they fold to. It is the only writer.
//
// Every write is one append of whole records under the lock of the log. The records
// are checked and masked before, and durable when the call returns. The Receipt
// names the lines written, so undoing is always one command away.
//
// # Laws
//
//   - A call that returns an error has written nothing, unless the error is of
//     the disk and says otherwise (*jsonl.SyncError).
//   - A write that names several items changes all of them or none.
//   - A read that fails brings nothing new, and what was read before stays. Half
//     a replica is not used: it might lack the line that forgets what the other
//     half says.
//   - A State never changes, whatever is appended later.
//   - What an active item says already is not stated twice, even if several
//     processes try at once. The answer is the same as if all items were compared.
//
// # Caveats
//
// Reading and writing are separate on purpose. Remember does not read the log
// of this device, so a cold `ken remember` costs nearly the same at ten items and
// at a hundred thousand. The log keeps Sketches, 8 bytes for each text and for each key
// that a rule may have. They show whether something similar stands already, or whether a
// rule may have the key. Only then does Remember read the state. It reads replicas if there
// are any, since they may name numbers of this log that were lost here. A write that names
// items must know them: it reads, and folds if there is something new.
//
// State reads only what was appended since the last call, and starts again
// from the beginning when a person edited the file. It folds everything
// again after any change.
package engine
