// Package segment keeps an index.Corpus in a file: the rows of its documents, which
// words stand in which of them, and where each document has its text. The texts
// themselves are not in it.
//
// A segment is made once and never changed; it is mapped into memory and ready as
// soon as its checksums are verified. It is derived from what it names, on the
// machine where it is used, and may be deleted at any time.
//
// # Format
//
// A header, then sections, each with its place, length and CRC-32C in the header:
//
//   - rows: the rows, 31 bytes each.
//   - names: the names, each behind its length.
//   - places: for each document the offset of what follows in docs, 4 bytes.
//   - docs: for each document its reference and the lines that it was made from.
//   - blocks: the offset of every 16th term in terms, 4 bytes.
//   - terms: the terms in order, each without what it shares with the one before,
//     in how many documents it stands, and where its postings begin.
//   - postings: for each term the documents by their distance, and how often.
//   - meta: what the owner wants kept.
//
// Numbers are little-endian, lengths and distances are varints.
//
// # Laws
//
//   - A segment has the rows, names and postings of index.NewScan over the same
//     documents.
//   - A file that is not what was written is an error at Open, and never a wrong
//     answer.
//
// # Caveats
//
// The words of a text stand in the segment until it is made anew or deleted:
// whoever erases a text deletes it.
package segment
