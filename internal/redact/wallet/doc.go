// Package wallet recognises the words of a wallet's seed (BIP 39) without the list
// of words: rows of 12, 15, 18, 21 or 24 plain words of three to eight letters, in
// which no word stands that sentences cannot do without and the list does not have.
//
// # Caveats
//
// A row that is not called a seed counts only where it is a line of its own, of 12,
// 18 or 24 words. A line of key words of the same form is taken for one.
package wallet
