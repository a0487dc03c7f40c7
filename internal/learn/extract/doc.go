// Package extract makes candidates for memory of a conversation: short texts that
// a person may want kept, with where each comes from. Nothing that it makes is
// memory. It is pure but for one port, the model that is asked; without a model the
// sentences count that the person typed as plain statements.
//
// # From turns to candidates
//
//	session    turns -> Passages: each a text of one origin (passages.go)
//	Window     which passages the model is shown, newest first, as lines of JSON (window.go)
//	Parse      what it answers, however it is written (parse.go)
//	Join       where a candidate comes from (join.go)
//	FlagsOf    what a reader should look at twice, as advice (suspicion.go)
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
// # What is extracted by rules
//
// ReadStatements reads each line of a text as the shell reads what is typed (package teach): there is one
// reader for both, and what the shell would keep, propose or take for a correction is a candidate here.
// Read here is only what a line alone does not show: a text of many lines, or of code, is material, and
// behind a first line that is a task the rest may be part of it.
//
// # What looks like an attempt
//
// FlagsOf says that a text gives orders to an assistant, grants permission, sends
// something somewhere, hides a part of itself. It is advice: nothing is kept out or let in
// because of it, since filters of text can be got around. A text is folded and its words
// are compared with tables of phrases (suspicion.txt), of the plain forms of a dozen
// languages. Then what may be hidden in it is brought to light (deobfuscate.go: invisible
// letters, look-alikes, digits for letters, reversed, encoded) and looked at in the same
// way. A sentence that the person typed is not suspect for what it says; only for what it
// hides.
//
// # Laws
//
//   - The same passages and answer give the same candidates.
//   - No candidate is trusted more than Join allows, whatever the answer says.
//   - What was recalled from memory, answers of an earlier extraction and what tools
//     printed is not shown to a model.
//   - There are at most Most candidates, each a line of at most MostRunes.
//   - No candidate is a rule.
//   - A statement is what package teach takes of the text, but for the days that it speaks of, which are
//     added in brackets ("next Friday (2026-11-27)"). A text of many lines, or of code,
//     states nothing, and no statement holds what package redact takes for a secret.
package extract
