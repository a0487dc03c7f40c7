// Package lexicon is what ken knows of English before it has read anything: which
// words go together ("job" and "career", "pet" and "dog"), which names are short
// for others, and which words say little of what a text is about ("thing", "make").
//
// The words were written down by hand, from general knowledge: words.txt says what
// a word calls up, the closer ones first, and nothing follows for the other
// direction; names.txt has names and their short forms, which call up each other;
// common.txt has words by how much they say, in tenths. What is looked up is
// stems.txt, which is made of them:
//
//	go test ./internal/recall/lexicon -update
//
// Nothing is read or built when a program starts: an entry is found by halving the
// text.
package lexicon
