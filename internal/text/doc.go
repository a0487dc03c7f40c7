// Package text says what two texts have in common: whether they say the same
// however they are spelled (Normal), which words they are made of (Words), and how
// much of those they share (Similarity). A Matcher looks for many texts at once in
// what programs write: in which case, with which blanks, in which form of Unicode,
// escaped for JSON or not. What is forgotten or erased is looked for with it.
//
// # Laws
//
//   - Normal(Normal(s)) is Normal(s).
//   - Two texts that differ only in case, in blanks, in compatibility forms or in
//     invisible characters have one Normal.
//   - A Matcher holds what a search for each of its texts alone would find.
//
// # Caveats
//
// Another language, other words, and the same words in another order are other
// texts: Similarity gives a number for those, and a person decides.
//
// # Reasons
//
// Every form in which two texts are compared stands here, because nine normal forms and seven splitters of words
// had differed where nobody meant it. There is more than one on purpose: forms of kept.go and search.go are in
// files of people, and another form would find nothing that was written before. NormalForHash is in review.jsonl,
// WordsForSketch beside a log, Chunks, Parts, FoldWord and Stem in the index; in Composed case counts; in Fold and
// WordsInOrder order counts.
package text
