// Package tokens estimates how many tokens a text is for a model, without the
// vocabulary of any model.
//
// The estimate is one for all models and all of ken: the same text always has
// the same size, whichever budget it is held against. Vocabularies differ by a
// third on the same text, and by four times on scripts that the older ones did
// not know, so an exact number would be exact for one model only.
//
// # Laws
//
//   - Estimate is never less than a quarter of the characters, rounded up.
//   - It never falls when characters are added at the end, and by at most one
//     when they are added in front.
//   - Two texts together are at most one more than the sum of the two. They may
//     be less: words that meet become one.
//   - Cut gives the longest beginning that fits, and never splits a character.
//
// # How it counts
//
// Every character costs something that depends on what stands before it: to
// begin a word costs most of a token, to go on in it almost nothing, to change
// from letters to digits or from lower to upper case costs again, because
// vocabularies hold few words that do. Characters outside ASCII cost what
// their script costs on average. The costs are in table.go, with where they
// come from. The sum, or a quarter of the characters if that is more, is the
// estimate.
//
// # Caveats
//
// Measured against two public vocabularies of 100,000 and 200,000 entries
// (cl100k and o200k), taking their mean: English prose and conversation is
// 5 to 20 % too high, because real prose has more than four characters a
// token, and densely commented code with it; plain code, JSON, logs, numbers,
// hexadecimal and base64 are within 5 %; the other languages of the table are
// within 25 %, Polish and Turkish being the lowest. The two themselves differ
// there by up to seven times (Georgian), and usually by two. Long runs of
// spaces and rules ("-----") are several times too high, as the first law asks.
package tokens
