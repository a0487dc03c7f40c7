// Package chars judges what a piece of text looks like: of which bytes it is, and
// whether it is random, a word, a name in a program, a reference to a value kept
// elsewhere, a number with a right check digit. It knows nothing of where the
// piece stands, and keeps no state.
//
// # Caveats
//
// The judgements are about bytes that a person or a program would write in
// secrets and in what is taken for one; they are no grammar of anything. All are
// linear in the length of the text, and most look at it several times: they are
// for values, not for documents.
package chars
