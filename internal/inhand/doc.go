// Package inhand knows which requests of a stream of JSON-RPC, a line each, are to be answered yet, and keeps the end of the stream
// back until they are: libraries of protocols drop at the end what they have in hand, and a script that pipes its requests in would
// get nothing.
package inhand
