// Package search puts questions to what a person has: the memory, conversations and the
// command lines that were run; chooses what goes with a question; and answers without a
// model. What a score is made of is package index's business, what a hit looks like
// package view's.
//
// # Embeddings
//
// Where an embedding model is configured, what is near a question is put beside what
// its words find, and Filler makes the vectors of memories. What is sent: active
// memories that are true now, masked, but for those of scopes that are switched off; and
// the question, masked. No turn of a conversation. They go to the one address that the
// settings name, and where none is named nothing is sent.
//
// # Laws
//
//   - A question costs at most one request for embeddings, and embeddings.timeout. Where
//     no vector is kept it costs none.
//   - No fault of that model or of what is kept is more than one warning: the words are
//     searched all the same.
//   - What is found by its vector says what the vector was made of, or is not found.
//
// # Caveats
//
// A Library is what there was when it was opened. In it no text comes back that was
// forgotten, by whatever way it was kept.
package app
