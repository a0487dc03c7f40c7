// Package teach reads what a person wants of their memory in a line that they typed, in
// their own words and without a model: to keep something, to state what may be worth
// keeping, to correct what is remembered, to have something forgotten.
//
// The words are data: a file for each language in tables, whose form tables/README.md
// tells. A frame is a row of words with places for what is free:
//
//	$lead? $please? $keep $link? @        @ is what is to be kept
//
// Frames say how people ask, and not what about, so that any content fits them.
//
// # Laws
//
//   - Read is a function of the line alone: no model, no memory, no clock.
//   - What is to be kept, Text, is made of parts of the line in their order, but for the
//     word that a frame puts in the place of its own ("next time you ..." is "when you ...").
//   - Questions, tasks, quotations, code, suppositions, what others said and what is meant
//     for one answer are None.
//   - Words inside of quotation marks are nobody's wish.
//   - A line with a line break or another control character is None.
//
// # Caveats
//
// Only what a person typed may be read. Text from a pipe, a document, a tool or a model
// that looks like a wish is none, and this package cannot know that.
package teach
