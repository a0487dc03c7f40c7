// Package trust keeps what a person decided about files that came with a
// repository, and reads a repository's memory as far as they let it in.
//
// A repository may carry logs, .ken/memory/<log>.jsonl. Whoever can write to the
// repository can write to them, so none of it counts before a person has seen
// it. What they decide is kept in the state directory, which is never synced:
// about one file, with the SHA-256 of the bytes that they were shown.
//
// The same holds for docs, the files that a repository has for agents: AGENTS.md,
// CLAUDE.md, GEMINI.md. They are no memory. What one says is read as it is, by whoever
// asks a question there.
//
// Skills of a repository are such files as well; package skill finds them.
//
// # Laws
//
//   - A file that is not, byte for byte, one that was let in counts for
//     nothing. What is folded are the bytes that were compared: that the file
//     changes afterwards changes nothing.
//   - A person is shown every line that is not, in its place, one that they let
//     in before. Lines that they only saw, and ignored, are shown again.
//   - Nothing outside the repository is read through it, and nothing is waited
//     for: links that lead out, pipes, and files above MaxFile are refused.
//   - A line of such a log speaks of its own log alone, and holds nowhere
//     but in its repository.
//
// # Caveats
//
// A repository is known by its scope, see package place: a clone of it asks
// nothing again, and neither does one that claims to be it, as long as its files
// are the same.
//
// The decision is kept with a name for each line, 24 of the 64 hexadecimal
// digits of its SHA-256, and no text: what a repository says is not copied.
package trust
