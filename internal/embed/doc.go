// Package embed asks an OpenAI-compatible endpoint what texts mean: one POST to
// /embeddings, one vector of numbers for each text. Texts are sent as they are
// given: masking them is the caller's business.
//
// # Laws
//
//   - What comes back is as many vectors as texts went, all of one length, each
//     finite and of length 1; anything else is an error, never a wrong vector.
//   - The vector of a text is the one that the server gives its number,
//     whatever the order in which they come.
//   - Nothing is sent anywhere but to the address that was given: a redirect to
//     another host is an error. The key is in no error.
//   - After a failure the endpoint is left alone for Rest: who asks meanwhile
//     gets the same error at once.
package embed
