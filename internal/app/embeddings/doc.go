// Package embeddings is the embedding model that a person configured: where it is asked,
// with which key, and where its vectors are kept. No key goes to a host that it was not
// configured for, and nothing is sent here.
package embeddings
