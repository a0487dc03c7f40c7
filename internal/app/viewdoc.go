// Package home is one person's memory, opened for any face: a terminal, a server for
// other assistants, a page. A face opens a Home, says who asks, calls, and shows what
// comes back.
//
// A Home gives out its parts, each a type of its own: Settings, Here, Keys, Logs, Memory,
// Conversations, Uses, Meetings. Nothing is opened before it is asked for: New makes the
// parts, and each reads its files when a call needs them. The package prints nothing: faults that stop
// nothing and what was done unasked go to Options.Voice, and a question that only the
// person can answer goes to Options.Ask, which a face without a person leaves out.
// Errors are those of package fault.
//
// # Laws
//
//   - Writing goes through Memory.Writer, in the hands of Options.Who: who is nobody reads, and
//     no more.
//   - A field is changed by the part that has it, and by nobody else.
//   - No memory goes to a model or into a directory that the person has neither named
//     nor agreed to.
//   - Whatever leaves is masked by Keys, which knows every key that ken reads.
package app
