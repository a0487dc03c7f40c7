// Package secret takes secrets out of what stands in a file: out of one line of JSON,
// in whatever string, name or number of it they are, or out of a text.
//
// # Laws
//
//   - A line of JSON stays one, with the same fields in the same order. What names
//     things (numbers, times, references, hashes) keeps its bytes.
//   - What holds no secret keeps its bytes.
//   - Taken out again, nothing changes.
//
// # Caveats
//
// What counts as a secret is the judgement of the mask that is given. The name of a
// field says what its value is only where the format does not give it another
// meaning: a memory's key is no key to anything.
package secret
