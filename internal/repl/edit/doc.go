// Package edit reads a line on a terminal on which a line can be edited.
package edit
