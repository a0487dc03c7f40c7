// Package app is the contract of all faces: one person's memory as a terminal, a server
// for other assistants or a page asks it. A face opens an App, says who asks, calls, and
// shows the values of package view that come back. It decides nothing.
//
//	a, err := app.Open(app.Options{...})
//	snap, err := a.At(ctx, place)          // one moment, for all that is read
//	hits, err := snap.Recall(ctx, app.Question{Text: "staging host"})
//	done, err := a.As(who).Remember(ctx, place, app.Statement{Text: "..."})
//	value, err := a.As(who).Ports(place).Recall(ctx, port.Call{...}) // as a program calls
//
// # Laws
//
//   - The zero Actor reads, and no more; whoever is no person suggests, and what they
//     suggest waits.
//   - What is read for anyone but the person is masked, and holds where they are.
//   - Who is kept to a place (Within) learns nothing of what holds elsewhere, by no name.
//   - All that a Snapshot says is of one moment.
//   - Subscribers hear of each write once, whoever wrote it.
//   - An App is safe for concurrent use.
package app
