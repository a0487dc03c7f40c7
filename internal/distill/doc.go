// Package distill makes candidates for memory of a conversation: short texts that
// a person may want kept, with where each comes from. Nothing that it makes is
// memory. It is pure but for one port, the model that is asked; without a model the
// sentences count that the person typed as plain statements (distill/stated).
//
// # From turns to candidates
//
//	session    turns -> Passages: each a text of one origin (passages.go)
//	Window     which passages the model is shown, newest first, as lines of JSON (window.go)
//	Parse      what it answers, however it is written (parse.go)
//	Join       where a candidate comes from (join.go)
//	suspect    what a reader should look at twice, as advice
//	Fresh      what is not known yet (fresh.go)
//
// # Where a candidate comes from
//
// A model that reads a text can copy, translate and rephrase anything in it, so what
// it writes has the least trusted origin of all that was there. One thing is better
// known: if every word that carries meaning stands in one turn that the person
// typed, said there and not denied, and in no text of others, then that turn is where
// it comes from; it is "model" then, since a model wrote it. The built-in extractor
// copies sentences, so what it finds is the person's: "user".
//
// An answer of the assistant has at best the lowest origin of what stood before it:
// a summary of a document is no statement of the person, however it is put.
//
// # Laws
//
//   - The same passages and answer give the same candidates.
//   - No candidate is trusted more than Join allows, whatever the answer says.
//   - What was recalled from memory, answers of an earlier extraction and what tools
//     printed is not shown to a model.
//   - There are at most Most candidates, each a line of at most MostRunes.
//   - No candidate is a rule.
package distill
