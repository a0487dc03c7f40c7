// Package acp is ken as an agent inside an editor, by the Agent Client Protocol, version 1: one JSON message a line over the
// standard streams. It translates: package talk has the conversation, package host holds those that are open, and runner and gate decide
// what may be done.
//
// # Laws
//
//   - What the editor sends besides what was typed (files, selections, links) is data from outside: it asks for nothing and allows
//     nothing.
//   - The editor is asked about caution, for once or for the very bytes in this session. About danger it is not asked, and an answer
//     that was not offered is a no.
//   - Requests begin in the order in which they came, so that a cancellation never comes before what it cancels.
//   - A cancelled prompt has a stop reason and no error. A second prompt of a conversation cancels the first.
//   - At most 16 conversations are open. One that is closed to make room is recorded, and goes on when the editor prompts it, with its
//     mode, its model, its tool servers and what was approved in it. One that has no record is not closed.
//   - When the editor is gone, prompts are cancelled, what came of them is recorded, and Serve returns within two seconds.
//   - The output carries the protocol and nothing else; an editor that does not read stops its answers, and no cancellation.
package acp
