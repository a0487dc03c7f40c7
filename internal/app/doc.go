// Package app is one person's memory, as every face has it: a terminal, a server for other
// assistants, a page. A process opens it once, and each who asks holds a View of it:
//
//	memory := app.Open(app.Options{...})
//	v := memory.View(app.Standing{Actor: who, Dir: dir})
//	hits, err := v.Recall(ctx, app.Question{Text: "staging host"})
//	done, err := v.Remember(ctx, app.Statement{Text: "..."})
//	value, err := v.Ports().Recall(ctx, port.Call{...}) // as a program calls
//
// A View gives out its parts, each a type of its own: Settings, Here, Keys, Logs, Memory,
// Conversations, Uses, Meetings. Nothing is opened before it is asked for. The package prints
// nothing: faults that stop nothing and what was done unasked go to a fault.Voice, and a
// question that only the person can answer goes to Standing.Ask, which a face without a person
// leaves out. Errors are those of package fault.
//
// # Searching
//
// A Library is all that can be searched, as it was when it was opened. What a score is made of
// is package index's business, what a hit looks like package view's. Where an embedding model
// is configured, what is near a question is put beside what its words find, and Filler makes
// the vectors of memories. What is sent: active memories that are true now, masked, but for
// those of scopes that are switched off; and the question, masked. No turn of a conversation.
// They go to the one address that the settings name; where none is named nothing is sent.
//
// # Laws
//
//   - The memory is read and folded once a process. All views share it, and no lock is held
//     while a network answers.
//   - Authority is a value: a View writes, suggests or is refused as the Actor that it was made
//     for. The zero Actor reads, and no more.
//   - What is read for anyone but the person is masked, and holds where they are. Who is kept
//     to a place (Standing.Kept) learns nothing of what holds elsewhere, by no name.
//   - No memory goes to a model or into a directory that the person has neither named nor
//     agreed to. Whatever leaves is masked by Keys, which knows every key that ken reads.
//   - Subscribers hear of each write once, whoever wrote it.
//   - A question costs at most one request for embeddings, and embeddings.timeout. Where no
//     vector is kept it costs none, and no fault of that model is more than one warning.
//   - In a Library no text comes back that was forgotten, by whatever way it was kept.
//   - An App is safe for concurrent use. A View is not, but for Keys and Beside: it is cheap,
//     and each call of a server makes its own.
package app
