// Package suspect says what about a text a person should look at twice before it
// becomes memory: that it gives orders to an assistant, grants permission, sends
// something somewhere, hides a part of itself. It is advice: nothing is kept out or
// let in because of it, since filters of text can be got around.
//
// # How it looks
//
// A text is folded and its words are compared with tables of phrases. Then what may be
// hidden in it is brought to light (invisible letters, look-alikes, digits for letters,
// reversed, encoded) and looked at in the same way.
//
// # Caveats
//
// The tables know the plain forms of a dozen languages. A sentence that the person
// typed is not suspect for what it says; only for what it hides.
package suspect
