// Package connect knows where other assistants keep their settings, and what stands there once they use the
// memory: the server that they start, and the hook that gives them what the memory has in front of every
// conversation. It changes those files, which are other people's, or says why not.
//
// # Laws
//
//   - Of a file that others write to as well, nothing changes but what stands at one key; that is proved before it is written.
//   - A file that its own program could not read is left alone, and so is an entry that is not of this program's.
//   - Links are followed and stay. What is no regular file, not the person's or not writable is refused; no mode is changed.
//   - A file has its old text or the new one, whatever happens; one that somebody else writes to meanwhile keeps what they wrote.
//
// # Reasons
//
// An entry is spliced into the text, because people keep comments, an order and an indentation in these files, and
// some assistants refuse what others take. Taking out what was put in gives every byte as before, for JSON and
// TOML, on random texts; what looks otherwise than what would be put in is a person's, and only the key goes.
// Where an assistant reads directories, ken has one of its own there, and no splice. A project gets a server
// alone, without hooks or leave: those are each person's. A hook ends in "|| exit 0", because some assistants drop
// the question when a hook fails. Nothing locks an assistant out; the file is looked at again right before it is
// replaced.
package connect
