// Package keys is the keys of one person: those that ken reads to reach models and
// servers, which are masked by their value wherever they show, and the one of their own
// that masks and seals are made with.
//
// A Ring learns where keys are named from the settings, and reads them when a text is to
// be masked. Nothing is read before: a run that masks nothing never touches a key.
package keys
