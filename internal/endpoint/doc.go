// Package endpoint is the face in front of a model: programs that speak with an OpenAI-compatible server ask here, and the model
// gets what the memory has for the question. Package httpapi carries it below /v1; it knows who asks.
//
// # Laws
//
//   - Of a request two things change, and no other byte: the name of the model, and one marked block at the head of the last
//     message of the user. Where there is nothing to give, or memory is off or fails, the name alone.
//   - In a loop of calls the block is the same bytes, as long as what it says still stands.
//   - An answer is passed on as it comes, byte for byte, with its status; who asks for it has one field put in. A cut stays a cut;
//     nothing is asked twice.
//   - What is typed here states nothing, and is recorded where the settings say so alone, as text from outside. What a client sends for a
//     key goes nowhere.
//   - Why is kept by reference: what was forgotten since is in no explanation.
package endpoint
