// Package agent is the conversation: it assembles the prompt, calls the model,
// hands on what streams in, and records every turn. It knows no terminal and
// no HTTP.
//
// A Conversation is three nouns and an owner: the Transcript is what was said, the Prompt is what a model is sent of it, and the
// Window is what fits. The transcript knows neither of the others, the prompt reads the transcript, and the window measures
// the prompt and says what leaves the transcript. What a conversation stands on is in Options: values, and interfaces of one
// to three methods.
//
// # The prompt
//
// One system message comes first: the base text, then the start-up block of
// the memory if it holds anything, then the environment. It changes only by an event (a memory
// stated or forgotten, :memory inject, :reset), so that a server's prompt cache
// holds from one turn to the next: what changes of the environment meanwhile goes with the
// newest question. Docs of the repository stand at the head of the first message of the
// person that is sent, since they are the word of others. The base text itself is never altered. With
// nothing remembered the request is byte for byte that of a conversation
// without memory.
//
// # Laws
//
//   - No fault of the memory stops an answer: it is reported, and the conversation
//     goes on without memory.
//   - No turn is lost by a fault of the model: what the person said is recorded
//     before it is sent, and the part of an answer that arrived is recorded
//     with how it ended.
//   - What is sent is legal for the strictest servers, whatever was interrupted,
//     edited or lost before: after the system message the person speaks first,
//     roles alternate, no message is empty, and every tool call is followed by
//     its result and every result preceded by its call.
//   - What is sent and what is recorded is clean text, and masked.
//   - Text leaves this machine only for a model that the person named.
//   - A conversation that another process goes on with begins with the same
//     bytes, so that the server's prompt cache holds.
//
// # Caveats
//
// What a server wants back as it sent it (reasoning, signatures) is kept and
// sent so. Of an answer that failed or was stopped it is kept and not sent: a
// signature of half a thought is none.
package agent
