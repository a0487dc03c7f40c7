// Package api has the shapes that a server gives and takes over HTTP, beside those that all
// faces have.
//
// # Laws
//
//   - A list is an array, also if it is empty, never null.
//   - Whatever goes wrong is a Problem, with the next step.
package api
