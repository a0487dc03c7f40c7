// Package hall shows the answers that are being written on the page. An answer belongs to the hall and not to who asked for it: a tab
// that is closed does not stop it, and each that looks sees how far it is. The conversations are held by package host.
//
//	run, err := h.Ask(ctx, hall.Asked{Text: "where is the kettle?"})
//	for s := run.Look(); !s.Done; s = run.Look() { show(s); <-run.Changed(s.Rev) }
//
// # Laws
//
//   - Who asks in a conversation in which something is done is refused, and nothing waits in a queue.
//   - What is seen of an answer is how it stands, not what was added: who is slow misses steps and no words, and nothing is kept for them.
//   - What is shown has no secrets and no control characters.
//   - A conversation that is not used is closed, so that other faces can go on with it.
package hall
