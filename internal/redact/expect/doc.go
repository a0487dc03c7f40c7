// Package expect finds secrets by what a text makes one expect. A marker (a word for a
// password in any language, the name of an element, an option, a call, a word in an
// address) opens an expectation that reaches as far as the structure it stands in: to the
// end of its sentence, to the answer of a dialogue, to the next cell, item, argument or
// child, through a block of YAML, to the lines below a command that prints it. A code is
// bound by the place it opens, by whose it is, or by the question above it. What stands within reach is judged by its shape
// (Grade). The words that open and bind are in words.txt, one a line with its language.
//
// The rules have cases of their own besides, and those are in the code: words that only one rule asks for (what an answer may
// begin with, "sure" or "klar"; what stands behind a password without being one, "short" or "siehe"), markers that are something else
// in one place ("passwd" behind a prompt is the command), and the heads of single formats ("kty", "auth plain"). A language that
// is added to words.txt alone lacks the words of the code.
//
// # Caveats
//
// A value that is a word of a dictionary is not found here. The nearer and the firmer a
// value is bound, the less it must look made; in a sentence without anything that binds,
// only what nobody would write as a word counts.
package expect
