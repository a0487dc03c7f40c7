// Package model sets up what answers: it has a person choose the model that they begin with and
// tries it, and looks whether those that are set up can be asked.
package model
