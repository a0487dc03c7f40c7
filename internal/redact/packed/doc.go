// Package packed lays tables of words out in one string that is searched as it stands:
// a program that embeds such a string pays nothing for it when it starts, and for a
// look-up a few cache lines. Words says of what kinds a word is; Anchors finds
// many short texts in one pass over a text.
//
// MakeWords and MakeAnchors make the strings. The tests of the packages that embed one make
// it anew when KEN_UPDATE is set, and fail when it is not what its source says:
//
//	KEN_UPDATE=1 go test -run Packed ./internal/redact/...
//
// # Caveats
//
// A string that these functions did not make has no meaning: it is not checked when read.
// All numbers in it are little-endian.
//
// # Reasons
//
// Every process that writes masks first. Making the index of 7,000 anchors and the lexicon at the first use took a
// fifth of the CPU of such a process, and each new word made it slower. No map of Go can be laid out by the
// linker. The sources stay text. Two people who edit them at once have a conflict in a binary file, which the
// command above resolves.
package packed
