// Package llm talks to chat models over the OpenAI-compatible HTTP interface:
// one POST to /chat/completions, one stream of server-sent events back.
//
// Servers agree on the happy path and on little else. The package has a reader
// of its own for the events and an assembler of its own for the pieces of a
// message, and both take what real servers send: any line end, comments,
// heartbeats, several events without a blank line between them, JSON instead of
// events, errors in the middle of a success, tool calls whose index or id is
// missing, repeated or wrong, and five names for reasoning. What they expect is
// in testdata/vectors/streams at the top of the tree, one file per shape.
//
// # Flow
//
//	Client.Stream    one call: body, tries, what a 400 taught, waits
//	  post           one try: timers, HTTP, status
//	  events         bytes -> events (sse.go)
//	  assembler      events -> deltas, and at the end the Answer (assemble.go)
//	    splitter     inline <think> -> reasoning (think.go)
//	    toolCalls    pieces -> calls (tools.go)
//	    bag          fields that ken does not know, kept (bag.go)
//
// # Laws
//
//   - How the bytes were split over reads never changes a result.
//   - A stream that ends with no content, no tool call and no finish reason is an
//     error, never an empty success. One that ends without saying that it is done
//     is marked Truncated, or is an Incomplete error if a tool call was cut.
//   - One event that cannot be read costs that event alone, and one warning.
//   - The key is in no error, no redirect to another host, and no way of
//     printing a Preset.
//   - A callback that fails or panics ends the call with an error, and nothing
//     more.
//   - The same request of a client that has learned nothing new is the same bytes.
//
// # Caveats
//
// Reasoning inside the content is told by its tags only when they come. A model
// whose template opened the thought for it sends the closing tag alone: until
// that arrives its thought has been shown as text (see Delta.Rethought). A
// thought that is never closed is text, and comes as such at the end.
//
// Arguments of a tool call may be anything a model wrote: run a call only if
// its Problem is empty.
package llm
