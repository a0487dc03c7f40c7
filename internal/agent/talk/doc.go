// Package talk is a person's conversation from a face that is no terminal: an editor, a phone, a page. Its turns are those of
// package turn, and what commands do to the memory is done by package app, as its person: what such faces may do is settled here.
//
//	t, err := talk.Open(ctx, talk.Options{...})
//	ans, err := t.Ask(ctx, turn.Question{Text: line, Sentence: true}, turn.Events{...}, tell)
//	said, err := t.Do(ctx, "remember", "the staging host is kettle")
//	t.Close(ctx)
//
// # Laws
//
//   - Only what the person typed (Question.Typed, with Sentence) is read as a wish. What it does can be taken back, and is told with
//     how; what would have to be asked about first is suggested, or only shown.
//   - Nobody but a terminal says yes to what is dangerous, for good, or to more than was shown: an Approver is asked about
//     the rest alone, and of its answers those count that it was offered.
//   - Without an Approver nothing acts: a model is offered the tools of the memory, and no command or file.
//   - Nothing is erased, and nothing that waits is decided.
//   - Where Options.Own is set, what binds commands is for the terminal.
package talk
