// Package agent is the conversation: it assembles the prompt, calls the model,
// hands on what streams in, and records every turn. It knows no terminal and
// no HTTP.
//
// # The prompt
//
// One system message comes first: the base text, then the start-up block of
// the memory if it holds anything. It changes only by an event (a memory
// stated or forgotten, :memory inject, :reset), so that a server's prompt cache
// holds from one turn to the next. The base text itself is never altered. With
// nothing remembered the request is byte for byte that of a conversation
// without memory.
//
// # Laws
//
//   - No fault of the memory stops an answer: it is told, and the conversation
//     goes on without memory.
//   - No turn is lost by a fault of the model: what the person said is recorded
//     before it is sent, and the part of an answer that arrived is recorded
//     with how it ended.
//   - Roles alternate in what is sent, whatever was interrupted before: turns
//     of one role that follow each other are sent as one message.
//   - What is sent and what is recorded is masked.
package agent
