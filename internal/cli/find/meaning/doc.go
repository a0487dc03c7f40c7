// Package meaning is what commands know of a model of meaning: it asks the model
// about a question (Near), and makes the vectors of memories (Fill).
//
// # What is sent
//
// Active memories that are true now, masked, but for those of scopes that are
// switched off; and the question, masked. No turn of a conversation. They go to
// the one address that the settings name, and where none is named nothing is sent.
//
// # Laws
//
//   - A question costs at most one request, and embeddings.timeout. Where no
//     vector is kept it costs none.
//   - No fault of the model or of what is kept is more than one warning: the words
//     are searched all the same.
//   - What is found by its vector says what the vector was made of, or is not
//     found.
package meaning
