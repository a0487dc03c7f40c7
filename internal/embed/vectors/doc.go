// Package vectors keeps in a file what texts mean, as vectors of numbers: derived
// from the memory by a model, and free to be deleted at any time.
//
// # The file
//
//	header, 64 bytes
//	   0  "kenvec1\n"
//	   8  how many numbers a vector has, uint32
//	  12  0, 16 bytes
//	  28  CRC-32C of the bytes before and behind it, uint32
//	  32  the space: SHA-256 of what the vectors were made by
//	rows, each of 88 bytes and one for each number
//	   0  CRC-32C of the rest of the row, uint32
//	   4  what the largest number is, float32
//	   8  the first 16 bytes of the SHA-256 of the text
//	  24  the length of the reference, uint8, and the reference, 63 bytes
//	  88  the numbers as int8, the largest as 127
//
// All numbers are little-endian. Rows are only ever added; an item that was
// edited has several, distinguished by their texts. Vectors have the length 1 but for
// the rounding.
//
// # Laws
//
//   - No text is kept, only its sum; who wants no trace of it deletes the file.
//   - A row that is damaged counts as not there, and a file of another space or
//     with a damaged header as empty.
//   - What is added to a file that was deleted meanwhile is gone with it. So
//     erasing need not wait for whoever is adding.
//   - One process adds at a time.
package vectors
