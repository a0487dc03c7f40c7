// Package naming finds secrets by what a text calls them: the value behind a name
// such as DB_PASSWORD, api_key or --token, and the word that a sentence gives for
// one. What people call a password in some 70 languages, and what binds it to its value,
// is a table, tongues.txt: a language is added there, not in code.
//
// A name is judged by its last words (levelOf): what it promises decides how much
// the value must look like a secret. A password may be almost anything that is
// not plain code or a word of settings; behind "key" alone only text counts that
// no person would write. A value that refers to one kept elsewhere (a variable, a
// template, a path) or stands for one that is not given is none.
//
// # Caveats
//
// A password of plain letters is taken for one in quotes, behind a variable in
// capitals, and at the end of a sentence that says whose it is. There it must not be
// a word that tells what a password is like: sentences about passwords are full of
// such words, in every language.
package naming
