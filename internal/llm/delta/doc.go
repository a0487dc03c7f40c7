// Package delta joins the deltas of a chat completion into a message: content,
// reasoning, tool calls, usage, and every field that it does not know.
//
//	Assembler    events -> deltas to show, and at the end the whole (assemble.go)
//	  splitter   inline <think> -> reasoning (think.go)
//	  calls      pieces -> tool calls (tools.go, call.go)
//	  bag        fields that are not known, kept (bag.go)
//
// # Caveats
//
// Reasoning inside the content is known by its tags, and so only when they come. A
// model whose template opened the thought for it sends the closing tag alone:
// until that arrives its thought has been shown as text (see Delta.Rethought). A
// thought that is never closed is text, and comes as such at the end.
package delta
