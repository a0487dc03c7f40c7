// Rounds measures what it costs that a model calls a tool: the same question, of which the model first has a command run and
// then says the answer, by ken and by other assistants, in turn with each other on one scripted model. And how large a request
// is with no tools of servers, with a few and with many.
//
// -dir names a directory in which npm installed @openai/codex, opencode-ai and @qwen-code/qwen-code; those that are not
// there are left out, and said.
package main
