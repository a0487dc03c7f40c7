// Package swap puts other bytes in the place of those of a file, if it still holds the bytes
// that a person or a plan has seen. A reader sees the old file or the new one, also after a crash.
//
// The path must be free of symbolic links (Real): a link that appears later is not followed. What is
// no regular file, has several names (hard links, of which the others would keep the old bytes),
// belongs to another account or is longer than Most is refused.
//
// # Caveats
//
// Between the last look at the file and its new name lies a moment in which another program
// may write to it. Extended attributes do not come along.
package swap
