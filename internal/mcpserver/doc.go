// Package mcpserver is the face for other assistants: it speaks the Model Context Protocol
// over a pair of streams. It translates, and decides nothing: what a client may see and
// write is package app's business. What it states or changes waits for the person, under the
// client's own name.
//
// # What a client gets
//
// The tools are recall, remember, edit, forget, pin, why and status; the start-up block (what is known before
// anything is asked) stands in the server's instructions and is a resource, and so is each memory, and the list of those
// that hold in the client's directory, in pages. Results are text alone: assistants that are given
// structured content as well show their model nothing else. A text says that it is data.
//
// # Laws
//
//   - The server answers before the memory is opened, and lives on whatever is wrong with it: a fault of a
//     call is a result with IsError whose text has the next step.
//   - No result is longer than 8,000 bytes and no instructions longer than 4,000: assistants cut what is longer, or keep it in
//     files that erasing does not reach.
//   - No model is asked anything.
package mcpserver
