// Package wording says whether two texts say the same in the same words,
// however they are spelled: in which case, with which blanks, in which form of
// Unicode, escaped for JSON or not. What is forgotten or erased is looked for
// with it.
//
// # Laws
//
//   - Normal(Normal(s)) is Normal(s).
//   - Two texts that differ only in case, in blanks, in compatibility forms or in
//     invisible characters have one Normal.
//   - A Set holds what a search for each of its texts alone would find.
//
// # Caveats
//
// Another language, other words, and the same words in another order are other
// texts: Likeness gives a number for those, and a person decides.
package wording
