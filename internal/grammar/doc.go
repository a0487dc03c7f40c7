// Package grammar reads the few sentences that ken itself understands, so that
// a person can teach and ask without a model, and without learning a command:
//
//	remember that X     remember: X
//	forget X            forget about X          forget that X
//	forget everything about X, all of project X, about repo X
//	what do you know about X
//	what did we say about X
//
// A sentence is the whole of one line that a person typed. Everything else is
// KindNone: questions, quotations, several lines, talk about remembering and about
// the conversation itself ("forget it"). Where both readings are possible the
// answer is KindNone, since the line goes to the model in any case, while a memory
// that nobody asked for would have to be found and taken back.
//
// # Laws
//
//   - Parse is a function of the line alone: no model, no memory, no clock.
//   - Sentence.Text is a part of the line, as it was typed.
//   - Letter case of the fixed words and white space around words do not matter.
//   - A line with a line break or any other control character but tab is KindNone.
//
// # Caveats
//
// Only what a person typed may be parsed. Text from a pipe, a document, a tool or
// a model that looks like a sentence is not one, and this package cannot know that.
package grammar
