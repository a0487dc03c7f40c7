// Package model has the command by which a person sees which models there are, and says which
// of them answers from now on: by its name, a part of it, or from a list.
package model
