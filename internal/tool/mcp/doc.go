// Package mcp keeps the tool servers that a person has set up: programs and addresses that
// speak the Model Context Protocol, with tools for models, and resources and prompts
// for people.
//
// Servers has them all. Start is called with each question: it starts in the background what
// does not run yet, and never waits. Offer says which tools a request may hold; Read understands a
// model's call of one; Run calls it, and gives a Result whatever happens. Nothing here
// judges or asks: the caller does, before Run.
//
// # Laws
//
//   - Every call has a result: a server that hangs, floods, dies or answers what it should not
//     costs that call and nothing else.
//   - Nothing that a server says of its tools counts as a reason to trust them. A tool that
//     is not as it was when the person approved of its server is not offered before they
//     have seen the difference.
//   - A server has the environment that Environ makes, a session of its own without a
//     terminal, and ends with its whole process group.
//   - What a server sends takes bounded memory.
//
// # Caveats
//
// A process that a server starts in a session of its own outlives it. A variable
// MCPGODEBUG with a setting that the protocol's library does not know ends every program
// that is linked with it, before this package could say so.
package mcp
