// Package setup holds the commands about ken itself: its settings (config), its
// files (check), what it needs around it (doctor), and the assistants that use
// the memory (setup, and hook, which those run).
//
// No value that looks like a secret is printed; keys of models are named by
// where they are. What is found out is package doctor's business, what is
// written package settings'.
package setup
