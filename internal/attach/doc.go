// Package attach reads the files that a person has go along with a question: texts,
// pictures, and directories as listings.
//
//	r := attach.Reader{Dir: dir, Home: home, Mask: mask}
//	for _, m := range r.Mentioned("what does @main.go do?").Files {
//		a, err := r.Open(m.Path)
//	}
//
// # What is read
//
// What a file is, is seen by what it holds and never by its name. A text is UTF-8, or UTF-16
// with a byte order mark; line ends become line feeds, what is no text a mark in its place.
// A picture is PNG, JPEG, GIF or WebP; its parts are read one by one, and no pixel of it is decoded.
// Anything else is refused in a word that says what it is. A directory is the names in it,
// the upper ones first, without hidden ones and without what .gitignore files leave out.
//
// # Laws
//
//   - Nothing waits: a pipe, a socket and a device are refused, and so is a file that has no
//     bytes for whoever asks.
//   - At most MaxText of a text are held, however long the file is: of a longer one the first
//     and the last part. A picture of more than MaxPicture is refused before it is read.
//   - A Block begins with its head and ends with its end, and no line of what the file holds
//     is taken for either.
//   - The text of a Block was masked while it was whole.
//   - Of a picture no part is held that its pixels do not need, but for which side is up.
//
// # Caveats
//
// Nobody masks what a picture shows. Links are followed, as the person who names one
// wants; Attachment.Leads says where to.
package attach
