// Package setup holds the commands about ken itself: its settings (config), its
// files (check) and what it needs around it (doctor).
//
// No value that looks like a secret is printed; keys of models are named by
// where they are. What is found out is package doctor's business, what is
// written package settings'.
package setup
