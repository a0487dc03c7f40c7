// Package conflict says whether two short texts, each a thing that a person had
// remembered, say the same or contradict each other. It knows no model: it reads
// words, English ones first, and goes by what stands where.
//
// # How a text is read
//
// A text becomes the list of its words, without those that carry nothing (the,
// now, always), without endings, and without its negations, which are counted
// apart. From the list come patterns: the list itself; the list with a hole where a
// number, a version, a path, a day, a host or one of two opposites stands behind the
// verb; and, where the text says what some attribute is that there is one of ("my
// editor is ...", "lives in ..."), the attribute with a hole for the value. Two texts
// are in conflict if they share a pattern: of the whole list, the same or negated; with
// different fillings of a hole, in contradiction. So conflicts are found among many
// texts by their patterns, without comparing each with each.
//
// # Laws
//
//   - Compare does not depend on the order of its arguments.
//   - A text says the same as itself. Texts that share no pattern are in no conflict.
//
// # Caveats
//
// It would rather miss a contradiction than see one that is none: a person is asked
// about it. What was and what happened (past tense) is never against anything;
// neither is a text of more than maxWords words, or one with several sentences.
package conflict
