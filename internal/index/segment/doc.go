// Package segment keeps an index in a file: what was counted of documents, so
// that a program that starts need not read their texts again. A Builder makes a
// segment of documents, Open reads it, Merge makes one of several. A segment
// answers as an index.Corpus, exactly as index.NewScan of its documents would.
//
// # What a segment holds
//
// Documents in their order: of each its index.Row, its words, and a Locator, which
// says in which lines of which file its text stands. The texts themselves stay
// where they are; whoever shows one reads it there and compares it with the sum
// that the Locator has of each line. And a few bytes that its owner gives meaning.
//
// A segment is derived and is never changed. Documents that are no longer there
// are Deleted: the owner keeps the list, and hands it to Segment.Corpus. What comes
// after stands in a segment of its own, or in a scan, until Merge makes one of
// them.
//
// # Laws
//
//   - The corpus of a segment has the rows, names and postings of the scan of the
//     same documents; that of a merged one those of the segment that a Builder
//     makes of the documents that are not deleted.
//   - Whatever bytes a file has: opening and using it gives an error that wraps
//     ErrCorrupt or ErrVersion, or what was written. Every byte is covered by a
//     checksum, which is looked at before the byte is believed.
//   - A file is there whole, under its name, or not at all.
//
// # Caveats
//
// The words of a text stand in the segment, though the text does not, and those of
// a deleted document as well. Whoever erases a text must drop the segments that had
// it: Merge what lives (a merged segment has no word that only deleted documents
// had), close the old one and delete it.
//
// Files are not synced: after a loss of power one may be damaged, which is
// noticed, and then it is made anew. Do not change a file in place while it is
// open; what was checked once is not checked again. A file that was cut short
// meanwhile gives ErrCorrupt, not a fault.
//
// The format is in format.go. It is nobody's business but this package's: another
// version, or another index.Reading, is built again and never converted.
package segment
