// Package viewtest holds the JSON shapes of package view and its rooms to what they are:
// each is written down in testdata/shapes.golden of its package, once with a value in
// every field and once with none, so that a name, the order of fields or what is left
// out when empty cannot change unseen.
package viewtest
