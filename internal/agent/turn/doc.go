// Package turn is one question and its answer, from what the person typed to what was
// recorded, written once for all faces. A face makes a Question of its keys, flags or
// requests, hands over Events for what it wants to show meanwhile, and prints the Answer.
//
//	d := turn.New(h, turn.Options{Channel: session.ChannelAsk})
//	ans, err := d.Ask(ctx, turn.Question{Text: "..."}, turn.Events{Delta: print})
//	d.End(ctx)
//
// # What a turn does
//
//  1. It finds the model. Without one, memory and conversations answer, if the face says
//     that a person reads that.
//  2. What the line plainly asks of the memory is done by the face's port, before any
//     model has a word in it.
//  3. It begins the conversation, if none is live: a fault up to here leaves no record.
//     Else it looks what others did to the memory and to the record since the last turn.
//  4. It chooses what of the memory goes along, sends, records question, answer and trace.
//  5. It notes which memories were of use and what the answer cost.
//
// # One moment
//
// All that a turn reads of the memory is of one app.Moment: what is forgotten, the
// start-up block if it is chosen anew, what is activated, and what a report of the answer
// quotes. A write of this process ends the moment, and the next reader begins another.
//
// # Voice
//
// Errors are those of package fault, warnings and notes go to the home's Voice. What
// happened is reported to package upkeep, which decides what is due; when the person has seen
// the answer is known to the face alone, which says so by After.
package turn
