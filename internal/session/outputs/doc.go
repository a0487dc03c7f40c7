// Package outputs keeps what tools printed in a conversation and was too long for its turn, so that the rest can be
// looked at: by the model that asked, page by page, and by the person.
//
// A Room has a file for each, below a directory of the conversation. Its name begins with the number of the turn that
// has the result: 12, or 12.2 where a turn has several. The first line of the file says where the text is from, all
// behind it is the text, clean and masked.
//
// # Laws
//
//   - An output that is kept is never replaced: a name means one text.
//   - What is kept is bounded: each (Most), all together (MostBytes), and in time (Age).
//   - Nothing is read from the room of another conversation.
//
// # Reasons
//
// The number of a turn is given once, also by a process that goes on with the conversation after the cache was
// emptied, and whoever looks at the conversation knows it. A sum of the text would be 64 digits for a small model
// to copy. The files lie in the cache, where one rule erases and masks all that is derived. They are the one kind
// there that ken cannot make again.
package outputs
