// Package setup holds the commands about ken itself: its settings (config), its
// files (check) and what it needs around it (doctor).
//
// # Laws
//
//   - A file of settings is replaced as a whole, by one that was parsed
//     strictly before; a broken one is never put in its place.
//   - What `config set` was not asked to change keeps its bytes and its value.
//   - Check and doctor change nothing: they name what is wrong, where, and the
//     next step. Check looks at files alone. Doctor reaches for the model server
//     of the settings and for nothing else, and what it writes to try a disk it
//     takes away again.
//   - No value that looks like a secret is printed; keys of models are named by
//     where they are.
package setup
