// Package digest makes a short text of a long conversation without any model: what
// the person said in their own words, what they asked for, what ran, and how the
// answers began. It is what stands for turns that leave the context when no model
// can sum them up, and what is kept beside a summary that a model wrote, since
// models lose the names and numbers that matter most.
//
// # Format
//
//	## Said
//	- The staging host is kettle.example.org.
//	## Asked
//	- How do I reach the staging host?
//	## Ran
//	- go test ./kettle (exit 1)
//	## Answered
//	- Use ssh kettle.example.org.
//
// # Laws
//
//   - Every line but the headings is a sentence of the conversation as it was said,
//     cut at its end if it is long.
//   - Under Said and Asked stand the person's own words alone, never those of a
//     model, of a program or of a page.
//   - The digest of a digest and no further turns is the digest.
//   - It is never longer than the budget.
package digest
