// Package frame has the heads of the blocks that a prompt is made of, and keeps every
// text that stands in one from opening another.
//
// A prompt is text: what distinguishes the words of the person from those of a file, a program,
// a page or another model are lines such as "[exec output]". A text that holds such a
// line would speak with a standing that it does not have. So whatever is not ken's own
// or typed by the person passes through Inert or Data before it enters a message, and a
// line of it that begins like a frame gets a bar and a blank in front.
//
// # Laws
//
//   - Whatever the text, taking a message apart by its heads gives exactly the blocks
//     that ken opened.
//   - What is kept inert does not depend on a list of heads alone: a line is marked by
//     its form. So a head that is added later is kept safe from the texts of today.
//   - No text that passes holds a token by which the server of a model tells messages, thoughts or calls apart.
//   - These functions are idempotent, and add nothing but marks and joiners.
package frame
