// Package index finds memories and turns of conversations by the words of a
// query. A Searcher answers; Scan is the one that needs nothing but the
// documents themselves, and what a derived index must agree with.
//
// # How a text is read
//
// A text is cut at the word boundaries of Unicode. What is written together with
// - _ . / : @ \ + or #, or in mixed case, counts whole and in its parts:
// "fetchUser.go" is found by "fetchuser.go", "fetch", "user" and "go". Scripts
// that are written without spaces (Han, Kana, Thai and their kin), and Korean,
// whose particles stick to the words, are read as pairs of neighbouring
// characters. Letter case, width and the accents of Latin and Greek do not
// matter. Beside each word stands its English stem: "running" finds "runs", and
// a word that is equal to the letter counts for more.
//
// # How a document is scored
//
// Each field of a document gets a BM25 score without length normalisation:
// memories and turns are short, and a longer one is not about less. The scores
// are weighted by the form that agreed and by the field, and the weighted
// scores are the named parts, which sum to the score of the hit. How rare a word
// is counts over all documents of the Searcher, whatever the query leaves out, as
// if there were never less than a thousand.
//
// # Laws
//
//   - The same documents and query give the same hits in the same order.
//   - The parts of a hit sum to its score, added up in their order.
//   - A hit shares with the query a word that carries meaning, and at least
//     Floor of the weight of its words. No hit is an answer.
//   - Reading a text line by line gives the same words as reading it whole.
//
// # Caveats
//
// Of a query the first 256 terms count, of a word the first 128 bytes. Stems and
// the words that carry no meaning ("what", "the") are English. A word
// of another language is found by its exact form, whatever its ending.
package index
