// Package hall holds the conversations that are open on the page. An answer belongs to the hall and not to who asked for it: a tab
// that is closed does not stop it, and each that looks sees how far it is.
//
//	run, err := h.Ask(ctx, hall.Asked{Text: "where is the kettle?"})
//	for s := run.Look(); !s.Done; s = run.Next(ctx, s.Rev) { show(s) }
//
// # Laws
//
//   - In a conversation one thing is done at a time; who asks meanwhile is refused, and nothing waits in a queue.
//   - What is seen of an answer is how it stands, not what was added: who is slow misses steps and no words, and nothing is kept for them.
//   - What is shown has no secrets and no control characters.
//   - A conversation that is not used is closed, so that other faces can go on with it.
package hall
