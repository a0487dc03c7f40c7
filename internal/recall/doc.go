// Package recall finds what a question is about, chooses which memories may stand
// in a prompt, and says of each one why, and of each one left out why not. It is
// pure: the same corpora or items, place, budget and time give the same choice.
//
// # Search
//
// A score is a sum of named parts, each a weight times a figure (Weights). The words
// of the question count by BM25 without length normalisation, as a share of what
// all words of the question weigh: in the text, in the turn and its neighbours, in the whole
// conversation. A lexicon says which words go with those of the question, and which
// words say little. The other parts are about the document: who
// spoke, when, and for an item where it holds, its kind, phase, pin, importance, age
// and use. How rare a word is counts over all documents, also those that the question
// leaves out, and as if there were a thousand at least.
//
// Most turns that answer a question have few of its words: "In Bergen!" stands behind
// "Where did you buy the kettle?". So a turn may be a hit for the words beside it,
// unless the question is a single word.
//
// # Embeddings
//
// If an embedding model is configured, Fuse adds what the model finds near the question
// to the hits, as one more part. It goes by rank and not by the numbers of the model.
// Words decide whether the model is believed at all.
//
// # A question that goes on
//
// "And how do I do that on staging?" is searched with the question before it:
// FollowOf reports, from a few English words, whether a question goes on with another. It
// begins with a word that goes on, or refers to something, or has no words of its own.
//
// # The start-up block
//
// Background is chosen once, when a conversation begins, and again only when the
// person changes the memory: it is part of the system message, and a server's
// prompt cache holds only while that does not change.
//
// # Activation
//
// Activate chooses the memories that a question calls up: the hits of a
// search over active items, with shares of their scores for what else speaks for
// them. They go with that question alone. What stands in the start-up block is not
// said twice.
//
// # Laws
//
//   - The same documents and question give the same hits in the same order.
//   - The parts of a hit sum to its score, added up in their order.
//   - A hit shares with the question a word that carries meaning, and at least
//     Floor of the weight of its words; a turn with the two before and behind it,
//     at least floorTurn, and one turn at least has Enough. No hit is an answer.
//   - A choice never exceeds its budget, the header included.
//   - The block holds only items whose scope holds here and that are true now.
//   - Nothing to say gives the empty block, not a header alone.
//   - Nothing is activated that has nothing to do with the question, no turn of a
//     conversation, and nothing of another place.
package recall
