// Package working reads and writes working.md, the working memory: what a person was
// lately busy with, in a page of text that expires. The next conversation begins
// with it, so that it picks up where the last one left off.
//
// # Format
//
//	# Working Memory
//	Updated: 2026-05-10T19:00:09Z
//	Expires: 2026-05-24T19:00:09Z
//
//	Moving the kettle service to node 22.
//
// The first line is as it stands here, the two times are RFC 3339, a blank line ends
// the head, and the rest is the text. A person may edit or delete the file at any
// time. A file whose head is not like that says nothing: no line of a broken head
// is taken for text.
//
// # Laws
//
//   - What Bytes writes, Parse reads back, if it is read before it expires.
//   - Text is never cut inside a character, and never longer than the budget.
//   - A file is whole: the older one or the newer one, whatever happens while it is
//     replaced.
//   - Two conversations that end beside each other lose neither's text as long as
//     the budget holds both.
//
// # Caveats
//
// The text is a summary and nobody has approved it: it is shown to a model as data,
// grants nothing, and nothing is learnt from it. It expires where it is read; no
// program removes it.
package working
