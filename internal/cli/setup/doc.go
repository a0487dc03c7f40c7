// Package setup holds the commands about ken itself: its settings (config), its
// files (check) and what it needs around it (doctor).
//
// # Laws
//
//   - A file of settings is replaced as a whole, by one that was parsed
//     strictly before; a broken one is never put in its place.
//   - What `config set` was not asked to change keeps its bytes and its value.
//   - No value that looks like a secret is printed; keys of models are named by
//     where they are.
//
// What check and doctor find out is package doctor's business.
package setup
