// Package color says how text looks on a terminal: in the attributes and the sixteen
// colours that every one has, fitted to a dark or a light background.
package color
