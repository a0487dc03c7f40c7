// Package index reads texts as words, and finds which memories and turns of
// conversations have which of them. A Corpus is what a query is scored over, by
// package recall; a Scan is a corpus that needs nothing but the documents
// themselves, and what a derived index must agree with.
//
// # How a text is read
//
// A text is cut at the word boundaries of Unicode. What is written together with
// - _ . / : @ \ + or #, or in mixed case, counts whole and in its parts:
// "fetchUser.go" is found by "fetchuser.go", "fetch", "user" and "go". Scripts
// that are written without spaces (Han, Kana, Thai and their kin), and Korean,
// whose particles stick to the words, are read as pairs of neighbouring
// characters. Letter case, width and the accents of Latin and Greek do not
// matter. Beside each word stands its English stem: "running" finds "runs".
//
// # Laws
//
//   - Two corpora of the same documents have the same rows and postings.
//   - Reading a text line by line gives the same words as reading it whole.
//
// # Caveats
//
// Of a query the first 256 terms count, of a word the first 128 bytes. Stems and
// the words that carry no meaning ("what", "the") are English. A word
// of another language is found by its exact form, whatever its ending.
package index
