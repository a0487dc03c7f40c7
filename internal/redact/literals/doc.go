// Package literals finds secrets that were found before, where nothing around them
// tells: as they are, and in the forms in which programs write them.
//
// # Laws
//
//   - A secret that could be an ordinary word is not looked for: Telling.
//   - A short one is found alone only, not inside a longer word.
package literals
