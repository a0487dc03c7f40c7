// Package why says to people and programs which memories an answer had, and why: from
// the trace of the answer and the memory as it stands now.
//
// # The envelope
//
// Wherever ken says where something comes from, programs get the same shape: a list
// of envelopes, one for each way that memories came in, never null.
//
//	[{"source":"question","count":1,"activation_context":{"scope":"repo:example.org/me/tea"},
//	  "tokens":31,"budget":800,"items":[{"ref":"3","kind":"fact",...}]}]
//
// # Laws
//
//   - Of what was forgotten, undone or erased since, no text is shown, and nothing that
//     says of it.
//   - The references are those of the trace, all of them, in its order.
package why
