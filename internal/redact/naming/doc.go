// Package naming finds secrets by what a text calls them: the value behind a name
// such as DB_PASSWORD, api_key or --token, and the word that a sentence gives for
// one, in English, German, French, Spanish, Italian and Portuguese.
//
// A name is judged by its last words (levelOf): what it promises decides how much
// the value must look like a secret. A password may be almost anything that is
// not plain code or a word of settings; behind "key" alone only text counts that
// no person would write. A value that refers to one kept elsewhere (a variable, a
// template, a path) or stands for one that is not given is none.
//
// # Caveats
//
// A password of plain letters is taken for one in quotes and behind a variable in
// capitals, and nowhere else: sentences about passwords are full of such words.
package naming
