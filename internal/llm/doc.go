// Package llm talks to chat models over the OpenAI-compatible HTTP interface:
// one POST to /chat/completions, one stream of server-sent events back.
//
// Servers agree on the happy path and on little else. Two packages below, wire and delta, take
// what real servers send: any line end, comments, heartbeats, several events
// without a blank line between them, JSON instead of events, errors in the middle
// of a success, tool calls whose index or id is missing, repeated or wrong, and
// five names for reasoning. What they make of it is in testdata/vectors/streams
// at the top of the tree, one file per shape.
//
// # Flow
//
//	Client.Stream      one call: tries, what a refusal taught, waits (client.go)
//	  Preset.body      the request, byte for byte (body.go)
//	  post             one try: timers, HTTP, status (post.go, watch.go, transport.go)
//	    exchange       one success, read to its end (exchange.go)
//	      wire         bytes -> events
//	      delta        events -> deltas to show, and the whole message
//
// A Chain stands before several clients and asks the next one where a model did
// not begin to answer. Package discover looks for a model on this machine.
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
// Reasoning inside the content may be known for what it is only after it was
// shown as text: see Delta.Rethought.
//
// Arguments of a tool call may be anything a model wrote: run a call only if
// its Problem is empty.
package llm
