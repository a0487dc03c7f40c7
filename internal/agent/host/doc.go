// Package host holds the conversations that are open at a face, many at once. What is done in them is package talk's, and what is shown
// of it the face's.
//
//	h := host.New[*talk.Talk](host.Options{Idle: 10 * time.Minute})
//	t, err := h.Take(ctx, id, opener)
//	ans, err := t.Talk.Ask(t.Context(), question, events, tell)
//	t.Done()
//	h.Close(ctx)
//
// # Laws
//
//   - In a conversation one thing is done at a time. Take refuses who comes meanwhile, and Queue has them wait.
//   - At most Options.Most conversations are open. For one more, the one that was not used for longest is closed; a busy one never is.
//   - A conversation that is closed is opened again when somebody asks for it by its key.
//   - No lock is held while a conversation is opened, used or closed: each may take as long as a model takes.
//   - After Close nothing is open, and nothing is opened.
package host
