// Package extract reads conversations for what may be worth remembering: with a model
// where the person asked for one, and else by what they stated plainly. What it finds
// are candidates of package distill, with where each comes from. They wait in the queue
// until a person answers; under memory.auto_extract = "accept" what the person said
// themselves, and nothing else, is let in (decision 26).
//
// # Laws
//
//   - What a model answers is never memory by itself: a person says yes to each, or
//     a policy that they wrote lets in what they typed themselves.
//   - A fault of the model costs the candidates and nothing else, and is reported in one
//     line.
//   - Without a model the statements that the person typed are the candidates.
package extract
