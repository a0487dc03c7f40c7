// Lexicon makes the list of words that ken's recall brings along
// (internal/recall/lexicon/stems.txt) from WordNet 3.0 and a list of short forms of names:
//
//	make lexicon WORDNET=/usr/share/wordnet NAMES=names.csv
//
// The rules stand at the constants and in docs/decisions/0061. The same sources give the
// same list.
package main
